#include "training/experiment/tensor_file.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/utils.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/safetensors.h"
#include "nn/module_with_roles.h"

namespace hinny {
namespace {

TensorType type_of(const torch::Tensor& tensor) {
  return tensor.scalar_type() == at::kLong ? TensorType::int64 : TensorType::float32;
}

}  // namespace

NamedTensors tensors_of(const torch::nn::Module& module) {
  NamedTensors tensors;
  for (const auto& item : module.named_parameters()) tensors[item.key()] = item.value();
  for (const auto& item : module.named_buffers()) tensors[item.key()] = item.value();
  return tensors;
}

NamedTensors model_tensors_of(const torch::nn::Module& module) {
  NamedTensors tensors = tensors_of(module);
  for (const auto& [name, role] : roles_of(module)) {
    if (role.for_training_only) tensors.erase(name);
  }
  std::erase_if(tensors, [](const auto& item) { return item.second.scalar_type() == at::kLong; });
  return tensors;
}

void write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                   const std::map<std::string, std::string>& metadata) {
  NamedTensors kept;  // keeps the copies alive that the views refer to
  std::map<std::string, TensorView> views;
  for (const auto& [name, tensor] : tensors) {
    const auto type = tensor.scalar_type() == at::kLong ? at::kLong : at::kFloat;
    torch::Tensor& plain = kept[name] = tensor.detach().to(at::kCPU, type).contiguous();
    views[name] = {type_of(plain),
                   plain.sizes().vec(),
                   {static_cast<const std::byte*>(plain.data_ptr()), plain.nbytes()}};
  }
  write_safetensors(path, views, metadata);
}

TensorFile read_tensors(const std::filesystem::path& path) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  TensorFile result;
  result.metadata = file.metadata();
  for (const auto& [name, view] : file.tensors()) {
    if (view.type == TensorType::int64) {
      torch::Tensor tensor = at::empty(view.shape, at::kLong);
      std::memcpy(tensor.data_ptr(), view.bytes.data(), view.bytes.size());
      result.tensors[name] = tensor;
    } else {
      torch::Tensor tensor = at::empty(view.shape, at::kFloat);
      const std::vector<float> numbers = view.floats();
      std::copy(numbers.begin(), numbers.end(), tensor.data_ptr<float>());
      result.tensors[name] = tensor;
    }
  }
  return result;
}

void load_tensors(torch::nn::Module& module, const NamedTensors& from, const std::string& prefix,
                  const std::filesystem::path& path, const std::string& fresh) {
  const torch::NoGradGuard no_gradient;
  const NamedTensors needed = model_tensors_of(module);
  for (auto& [name, tensor] : tensors_of(module)) {
    const bool may_be_missing =
        !needed.contains(name) || (!fresh.empty() && name.starts_with(fresh + "."));
    if (may_be_missing && !from.contains(prefix + name)) continue;
    const auto found = from.find(prefix + name);
    if (found == from.end()) {
      throw InputError(path, fmt::format("no tensor '{}'", prefix + name), "this system's tensors");
    }
    if (found->second.sizes() != tensor.sizes()) {
      throw InputError(path, fmt::format("tensor '{}' has another shape", prefix + name),
                       fmt::format("[{}]", fmt::join(tensor.sizes().vec(), ", ")));
    }
    tensor.copy_(found->second);
  }
}

void restore_tensor(const NamedTensors& checkpoint, const std::string& name,
                    const torch::Tensor& to) {
  const auto found = checkpoint.find(name);
  if (found == checkpoint.end() || found->second.sizes() != to.sizes()) {
    throw InputError("checkpoint does not fit the system: tensor " + name, "the same recipe");
  }
  to.copy_(found->second);
}

}  // namespace hinny
