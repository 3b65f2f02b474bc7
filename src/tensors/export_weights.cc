#include "tensors/export_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/half.h"
#include "base/safetensors.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

// Tensors in memory, to be written together.
class Tensors {
 public:
  void add(const std::string& name, TensorType type, std::vector<std::int64_t> shape,
           std::vector<std::byte> bytes) {
    const auto& kept = bytes_[name] = std::move(bytes);
    views_[name] = {type, std::move(shape), kept};
  }
  template <typename T>
  void add(const std::string& name, TensorType type, const std::vector<std::int64_t>& shape,
           const std::vector<T>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    add(name, type, shape, std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  const std::map<std::string, TensorView>& views() const { return views_; }

 private:
  std::map<std::string, std::vector<std::byte>> bytes_;
  std::map<std::string, TensorView> views_;
};

void add_int8(Tensors& tensors, const std::string& name, const std::vector<std::int64_t>& shape,
              std::span<const float> numbers) {
  const auto columns = static_cast<std::size_t>(shape[1]);
  std::vector<float> scales;
  std::vector<std::int8_t> bytes(numbers.size());
  for (std::size_t first = 0; first < numbers.size(); first += columns) {
    scales.push_back(
        to_int8(numbers.subspan(first, columns), std::span(bytes).subspan(first, columns)));
  }
  tensors.add(name, TensorType::int8, shape, bytes);
  tensors.add(scale_name(name), TensorType::float32, {shape[0]}, scales);
}

void add(Tensors& tensors, const Weights& weights, const std::string& name, WeightType type) {
  const std::vector<std::int64_t> shape = weights.file().at(name).shape;
  const std::span<const float> numbers = weights.numbers(name);
  if (!std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); })) {
    throw InputError(weights.path(),
                     fmt::format("tensor '{}' holds numbers that are not finite", name),
                     "a model that was trained well");
  }
  const bool matrix = shape.size() == 2;
  if (matrix && type == WeightType::int8 &&
      shape[1] <= static_cast<std::int64_t>(kMostIntegerColumns)) {
    add_int8(tensors, name, shape, numbers);
  } else if (matrix && type != WeightType::float32) {
    std::vector<std::uint16_t> halves(numbers.size());
    std::ranges::transform(numbers, halves.begin(), float_to_bfloat16);
    tensors.add(name, TensorType::bfloat16, shape, halves);
  } else {
    tensors.add(name, TensorType::float32, shape,
                std::vector<float>(numbers.begin(), numbers.end()));
  }
}

}  // namespace

WeightType weight_type(const std::string& name) {
  if (name == "fp32") return WeightType::float32;
  if (name == "bf16") return WeightType::bfloat16;
  if (name == "int8") return WeightType::int8;
  throw InputError(fmt::format("no weights '{}'", name), "fp32, bf16 or int8");
}

void export_weights(const Weights& weights, const std::map<std::string, WeightType>& tensors,
                    const std::filesystem::path& file) {
  Tensors all;
  for (const auto& [name, of_matrices] : tensors) add(all, weights, name, of_matrices);
  write_safetensors(file, all.views());
}

}  // namespace hinny
