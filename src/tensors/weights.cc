#include "tensors/weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

bool is_float(TensorType type) {
  return type == TensorType::float32 || type == TensorType::float16 || type == TensorType::bfloat16;
}

// int8 numbers as floats.
void scale(std::span<const std::byte> bytes, float scale, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = scale * static_cast<float>(static_cast<std::int8_t>(bytes[i]));
  }
}

bool lies_in_place(const TensorView& view) {
  return view.type == TensorType::float32 &&
         reinterpret_cast<std::uintptr_t>(view.bytes.data()) % alignof(float) == 0;
}

}  // namespace

std::string scale_name(const std::string& tensor) { return tensor + ".scale"; }

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
  if (view.type == TensorType::int8 && shape.size() == 2) {
    check_scales(name);
  } else if (!is_float(view.type)) {
    throw InputError(path_, fmt::format("tensor '{}' holds no floats", name),
                     "F32, F16, BF16, or I8 for a matrix");
  }
}

void Weights::check_scales(const std::string& name) const {
  const TensorView& view = file_.at(name);
  if (view.shape[1] > static_cast<std::int64_t>(kMostIntegerColumns)) {
    throw InputError(path_,
                     fmt::format("tensor '{}' holds int8 in rows of {}", name, view.shape[1]),
                     fmt::format("{} at most", kMostIntegerColumns));
  }
  const TensorView& scales = file_.at(scale_name(name));
  if (scales.type != TensorType::float32 || scales.shape.size() != 1 ||
      scales.shape[0] != view.shape[0]) {
    throw InputError(path_,
                     fmt::format("tensor '{}' is [{}] of {}", scale_name(name),
                                 fmt::join(scales.shape, ", "), bytes_per_number(scales.type) * 8),
                     fmt::format("[{}] of F32", view.shape[0]));
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
  if (fresh) place->second = copy(name);
  return place->second;
}

std::vector<float> Weights::copy(const std::string& name) const {
  const TensorView& view = file_.at(name);
  if (view.type != TensorType::int8) return view.floats();
  std::vector<float> numbers(static_cast<std::size_t>(view.size()));
  const std::size_t columns = view.bytes.size() / rows(name);
  for (std::size_t r = 0; r < rows(name); ++r) {
    row(name, r, std::span(numbers).subspan(r * columns, columns));
  }
  return numbers;
}

Matrix Weights::matrix(const std::string& name) const {
  const TensorView& view = file_.at(name);
  Matrix matrix{view.type,
                view.bytes.data(),
                static_cast<std::size_t>(view.shape[0]),
                static_cast<std::size_t>(view.shape[1]),
                {}};
  if (view.type == TensorType::int8) {
    matrix.scales = numbers(scale_name(name));
  } else if (view.type != TensorType::bfloat16) {
    matrix.type = TensorType::float32;
    matrix.data = reinterpret_cast<const std::byte*>(numbers(name).data());
  }
  return matrix;
}

void Weights::row(const std::string& name, std::size_t index, std::span<float> out) const {
  const TensorView& view = file_.at(name);
  const std::size_t bytes = out.size() * bytes_per_number(view.type);
  const auto place = view.bytes.subspan(index * bytes, bytes);
  if (view.type == TensorType::int8) {
    float factor = 0;
    std::memcpy(&factor, file_.at(scale_name(name)).bytes.data() + index * sizeof factor,
                sizeof factor);
    return scale(place, factor, out);
  }
  const TensorView one{view.type, {}, place};
  std::ranges::copy(one.floats(), out.begin());
}

std::size_t Weights::columns(const std::string& name) const {
  const TensorView& view = file_.at(name);
  if (view.shape.size() != 2 || view.shape[1] == 0) {
    throw InputError(path_, fmt::format("tensor '{}' is [{}]", name, fmt::join(view.shape, ", ")),
                     "a matrix with columns");
  }
  return static_cast<std::size_t>(view.shape[1]);
}

std::size_t Weights::rows(const std::string& name) const {
  const TensorView& view = file_.at(name);
  if (view.shape.empty() || view.shape.front() == 0) {
    throw InputError(path_, fmt::format("tensor '{}' is empty", name), "at least one row");
  }
  return static_cast<std::size_t>(view.shape.front());
}

}  // namespace hinny
