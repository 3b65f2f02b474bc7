#include "nn/module_with_roles.h"

#include <optional>

namespace hinny {
namespace {

void collect(const torch::nn::Module& module, const std::string& prefix,
             std::optional<TensorRole> inherited, std::map<std::string, TensorRole>& all) {
  const auto* with_roles = dynamic_cast<const ModuleWithRoles*>(&module);
  const auto role_of = [&](const std::string& name) {
    if (with_roles == nullptr) return inherited;
    const auto own = with_roles->roles().find(name);
    return own == with_roles->roles().end() ? inherited : own->second;
  };
  const auto add = [&](const auto& tensors) {
    for (const auto& item : tensors) {
      if (const auto role = role_of(item.key())) all[prefix + item.key()] = *role;
    }
  };
  add(module.named_parameters(/*recurse=*/false));
  add(module.named_buffers(/*recurse=*/false));
  for (const auto& child : module.named_children()) {
    collect(*child.value(), prefix + child.key() + ".", role_of(child.key()), all);
  }
}

}  // namespace

torch::Tensor& ModuleWithRoles::register_parameter(const std::string& name, torch::Tensor tensor,
                                                   TensorRole role, bool requires_grad) {
  roles_[name] = role;
  return register_parameter(name, std::move(tensor), requires_grad);
}

torch::Tensor& ModuleWithRoles::register_buffer(const std::string& name, torch::Tensor tensor,
                                                TensorRole role) {
  roles_[name] = role;
  return register_buffer(name, std::move(tensor));
}

std::map<std::string, TensorRole> roles_of(const torch::nn::Module& module) {
  std::map<std::string, TensorRole> all;
  collect(module, "", std::nullopt, all);
  return all;
}

}  // namespace hinny
