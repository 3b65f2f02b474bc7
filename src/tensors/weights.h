// A model's tensors as the floats that the kernels want.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/safetensors.h"
#include "tensors/matrix.h"

namespace hinny {

// Beside an int8 tensor [rows, columns] stands one float per row that multiplies it, under this
// name.
std::string scale_name(const std::string& tensor);

// model.safetensors with its shapes checked. Safe to use from several threads. What is returned
// lives as long as the object.
class Weights {
 public:
  explicit Weights(std::filesystem::path path);

  // Throws InputError naming the tensor and both shapes, or its type when it stands for no floats.
  void check(const std::string& name, const std::vector<std::size_t>& shape) const;
  // All numbers: where they lie in the file when that is possible, else converted, once.
  std::span<const float> numbers(const std::string& name) const;
  // The same, made anew and not kept.
  std::vector<float> copy(const std::string& name) const;
  // A matrix as it is stored, or as floats when it cannot be used so.
  Matrix matrix(const std::string& name) const;
  // One row of a matrix, converted without touching the others.
  void row(const std::string& name, std::size_t index, std::span<float> out) const;
  // The first dimension of a tensor; InputError when it has none or it is 0.
  std::size_t rows(const std::string& name) const;
  // The second dimension of a matrix; InputError when it is none, or has no columns.
  std::size_t columns(const std::string& name) const;
  const SafetensorsFile& file() const { return file_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  void check_scales(const std::string& name) const;
  std::filesystem::path path_;
  SafetensorsFile file_;
  struct Converted {
    std::mutex lock;
    std::map<std::string, std::vector<float>> tensors;
  };
  std::unique_ptr<Converted> converted_ = std::make_unique<Converted>();
};

}  // namespace hinny
