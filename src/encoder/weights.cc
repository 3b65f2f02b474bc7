#include "encoder/weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"

namespace hinny {
namespace {

bool is_float(TensorType type) {
  return type == TensorType::float32 || type == TensorType::float16 || type == TensorType::bfloat16;
}

bool lies_in_place(const TensorView& view) {
  return view.type == TensorType::float32 &&
         reinterpret_cast<std::uintptr_t>(view.bytes.data()) % alignof(float) == 0;
}

}  // namespace

Weights::Weights(std::filesystem::path path)
    : path_(std::move(path)), file_(SafetensorsFile::open(path_)) {}

void Weights::check(const std::string& name, const std::vector<std::size_t>& shape) const {
  const TensorView& view = file_.at(name);
  const bool same =
      std::equal(view.shape.begin(), view.shape.end(), shape.begin(), shape.end(),
                 [](std::int64_t a, std::size_t b) { return a == static_cast<std::int64_t>(b); });
  if (!same) {
    throw InputError(path_, fmt::format("tensor '{}' is [{}]", name, fmt::join(view.shape, ", ")),
                     fmt::format("[{}]", fmt::join(shape, ", ")));
  }
  if (!is_float(view.type)) {
    throw InputError(path_, fmt::format("tensor '{}' holds no floats", name), "F32, F16 or BF16");
  }
}

std::span<const float> Weights::numbers(const std::string& name) const {
  const TensorView& view = file_.at(name);
  if (lies_in_place(view)) {
    return {reinterpret_cast<const float*>(view.bytes.data()),
            static_cast<std::size_t>(view.size())};
  }
  const std::lock_guard guard(converted_->lock);
  const auto [place, fresh] = converted_->tensors.try_emplace(name);
  if (fresh) place->second = view.floats();
  return place->second;
}

void Weights::row(const std::string& name, std::size_t index, std::span<float> out) const {
  const TensorView& view = file_.at(name);
  const std::size_t bytes = out.size() * bytes_per_number(view.type);
  const TensorView one{view.type, {}, view.bytes.subspan(index * bytes, bytes)};
  std::ranges::copy(one.floats(), out.begin());
}

std::size_t Weights::rows(const std::string& name) const {
  const TensorView& view = file_.at(name);
  if (view.shape.empty() || view.shape.front() == 0) {
    throw InputError(path_, fmt::format("tensor '{}' is empty", name), "at least one row");
  }
  return static_cast<std::size_t>(view.shape.front());
}

}  // namespace hinny
