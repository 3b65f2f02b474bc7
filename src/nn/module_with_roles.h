// A module that says what each of its tensors is.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <string>
#include <utility>

#include "model/tensor_role.h"

namespace hinny {

// Registers as torch::nn::Module does, with a role. A child's role is that of all its tensors for
// which the child has no role of its own. Without a role: as torch::nn::Module.
class ModuleWithRoles : public torch::nn::Module {
 public:
  using torch::nn::Module::Module;
  using torch::nn::Module::register_buffer;
  using torch::nn::Module::register_module;
  using torch::nn::Module::register_parameter;

  torch::Tensor& register_parameter(const std::string& name, torch::Tensor tensor, TensorRole role,
                                    bool requires_grad = true);
  torch::Tensor& register_buffer(const std::string& name, torch::Tensor tensor, TensorRole role);
  template <typename Child>
  auto register_module(const std::string& name, Child child, TensorRole role) {
    roles_[name] = role;
    return register_module(name, std::move(child));
  }

  const std::map<std::string, TensorRole>& roles() const { return roles_; }

 private:
  std::map<std::string, TensorRole> roles_;  // by name of a parameter, buffer or child
};

// The roles of a module's parameters and buffers by their full names; those without one are left
// out.
std::map<std::string, TensorRole> roles_of(const torch::nn::Module& module);

}  // namespace hinny
