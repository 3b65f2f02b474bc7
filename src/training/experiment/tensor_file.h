// libtorch tensors <-> safetensors files.
#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>

namespace torch::nn {
class Module;
}

namespace hinny {

using NamedTensors = std::map<std::string, torch::Tensor>;

// Parameters and buffers by their full names, sharing memory with the module.
NamedTensors tensors_of(const torch::nn::Module& module);

// Of these, what a model's file holds: neither counters nor what is for training only
// (model/tensor_role.h).
NamedTensors model_tensors_of(const torch::nn::Module& module);

// float32 and int64 tensors of any device. Atomic.
void write_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                   const std::map<std::string, std::string>& metadata = {});

struct TensorFile {
  NamedTensors tensors;  // on the CPU, owning their memory
  std::map<std::string, std::string> metadata;
};
TensorFile read_tensors(const std::filesystem::path& path);

// Copies tensors of the same names and shapes into the module; InputError, naming `path`, when
// one of the module's is of another shape, or missing and one of model_tensors_of. `prefix`
// precedes each name in `from`. Tensors of the child module `fresh`, if any, may be missing too.
void load_tensors(torch::nn::Module& module, const NamedTensors& from, const std::string& prefix,
                  const std::filesystem::path& path, const std::string& fresh = {});

// Copies the tensor `name` of a checkpoint into `to`. Throws InputError when it is missing or of
// another shape.
void restore_tensor(const NamedTensors& checkpoint, const std::string& name,
                    const torch::Tensor& to);

}  // namespace hinny
