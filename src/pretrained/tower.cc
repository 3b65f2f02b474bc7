#include "pretrained/tower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/half.h"
#include "base/interrupt.h"
#include "retrieval/dot_kernels.h"
#include "tensors/matrix.h"
#include "tensors/panels.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNumbersAtOnce = std::size_t{1} << 20U;

std::size_t row_size(const std::vector<std::size_t>& shape) {
  return shape.size() == 2 ? shape[1] : 1;
}

// As a matrix: what follows the first size is one row.
std::vector<std::size_t> flat_shape(const TensorView& view) {
  std::vector<std::size_t> shape;
  for (const std::int64_t size : view.shape) shape.push_back(static_cast<std::size_t>(size));
  while (shape.size() > 2) {
    shape[shape.size() - 2] *= shape.back();
    shape.pop_back();
  }
  return shape;
}

void numbers_of(const TensorView& view, std::size_t first, std::size_t count, float* out) {
  const std::size_t bytes = bytes_per_number(view.type);
  const TensorView some{view.type,
                        {static_cast<std::int64_t>(count)},
                        view.bytes.subspan(first * bytes, count * bytes)};
  std::ranges::copy(some.floats(), out);
}

std::vector<std::int64_t> signed_shape(const std::vector<std::size_t>& shape) {
  return {shape.begin(), shape.end()};
}

// The type that a tensor is kept in.
TensorType kept_as(const TowerTensor& tensor, WeightType type) {
  if (tensor.shape.size() != 2 || tensor.exact || type == WeightType::float32) {
    return TensorType::float32;
  }
  if (type == WeightType::int8 && tensor.shape[1] <= kMostIntegerColumns) return TensorType::int8;
  return TensorType::bfloat16;
}

// Rounded rows -> what is appended; scales of int8 rows.
class Rounding {
 public:
  Rounding(TensorType type, std::size_t columns) : type_(type), columns_(columns) {}

  // `numbers` are whole rows.
  std::vector<std::byte> bytes_of(std::span<const float> numbers) {
    if (type_ == TensorType::float32) return copy(numbers);
    if (type_ == TensorType::bfloat16) {
      std::vector<std::uint16_t> halves(numbers.size());
      std::ranges::transform(numbers, halves.begin(), float_to_bfloat16);
      return copy(std::span<const std::uint16_t>(halves));
    }
    std::vector<std::int8_t> bytes(numbers.size());
    for (std::size_t at = 0; at < numbers.size(); at += columns_) {
      scales_.push_back(
          to_int8(numbers.subspan(at, columns_), std::span(bytes).subspan(at, columns_)));
    }
    return copy(std::span<const std::int8_t>(bytes));
  }
  std::span<const float> scales() const { return scales_; }

 private:
  template <typename T>
  static std::vector<std::byte> copy(std::span<const T> numbers) {
    const auto bytes = std::as_bytes(numbers);
    return {bytes.begin(), bytes.end()};
  }
  TensorType type_;
  std::size_t columns_;
  std::vector<float> scales_;
};

// Up to sixteen rows [rows, columns] of `each` bytes a number -> one panel [columns, 16].
std::vector<std::byte> panel_of(const std::vector<std::byte>& rows, std::size_t columns,
                                std::size_t each) {
  std::vector<std::byte> panel(columns * kPanelOutputs * each);
  const std::size_t count = rows.size() / each / columns;
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < columns; ++i) {
      std::copy_n(rows.data() + (row * columns + i) * each, each,
                  panel.data() + (i * kPanelOutputs + row) * each);
    }
  }
  return panel;
}

// What a block's products are made of; the rest is looked up, added, or read by `layers`.
bool in_panels(const std::string& name, const TowerTensor& tensor, Layout layout) {
  return layout == Layout::panels && tensor.shape.size() == 2 && name.starts_with("layers.");
}

// Calls use(numbers) for all rows of a tensor, some at a time.
template <typename Use>
void for_rows(const fs::path& folder, const TowerTensor& tensor, std::size_t at_once,
              const Use& use) {
  const std::size_t columns = row_size(tensor.shape);
  std::vector<float> numbers;
  for (std::size_t first = 0; first < tensor.shape[0]; first += at_once) {
    stop_if_interrupted();
    const std::size_t count = std::min(at_once, tensor.shape[0] - first);
    numbers.resize(count * columns);
    tensor.rows(first, count, numbers.data());
    if (!std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); })) {
      throw InputError(folder,
                       fmt::format("tensor '{}' holds numbers that are not finite", tensor.source),
                       "a model's weights");
    }
    use(std::span<const float>(numbers));
  }
}

}  // namespace

TowerTensor same(const TensorView& view, const std::string& source) {
  return stacked({&view}, source);
}

TowerTensor stacked(const std::vector<const TensorView*>& views, const std::string& source) {
  TowerTensor tensor{flat_shape(*views.front()), {}, source};
  for (std::size_t i = 1; i < views.size(); ++i) tensor.shape[0] += flat_shape(*views[i])[0];
  const std::size_t columns = row_size(tensor.shape);
  tensor.rows = [views, columns](std::size_t first, std::size_t count, float* out) {
    for (const TensorView* view : views) {
      const std::size_t rows = flat_shape(*view)[0];
      if (first < rows && count > 0) {
        const std::size_t some = std::min(count, rows - first);
        numbers_of(*view, first * columns, some * columns, out);
        out += some * columns;
        count -= some;
        first += some;
      }
      first -= std::min(first, rows);
    }
  };
  return tensor;
}

TowerTensor transposed(const TensorView& view, const std::string& source) {
  const std::vector<std::size_t> shape = flat_shape(view);
  const auto numbers = std::make_shared<const std::vector<float>>(view.floats());
  return {{shape[1], shape[0]},
          [numbers, shape](std::size_t first, std::size_t count, float* out) {
            for (std::size_t row = first; row < first + count; ++row) {
              for (std::size_t i = 0; i < shape[0]; ++i) *out++ = (*numbers)[i * shape[1] + row];
            }
          },
          source};
}

TowerTensor scaled(const TensorView& view, const TensorView& factors, const std::string& source) {
  TowerTensor tensor = same(view, source);
  tensor.rows = [rows = tensor.rows, columns = row_size(tensor.shape), by = factors.floats()](
                    std::size_t first, std::size_t count, float* out) {
    rows(first, count, out);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t i = 0; i < columns; ++i) out[row * columns + i] *= by[first + row];
    }
  };
  return tensor;
}

TowerTensor zeros(std::vector<std::size_t> shape) {
  const std::size_t columns = row_size(shape);
  return {std::move(shape),
          [columns](std::size_t, std::size_t count, float* out) {
            std::fill_n(out, count * columns, 0.0F);
          },
          "zeros"};
}

TowerTensor given(std::vector<std::size_t> shape, std::vector<float> numbers,
                  const std::string& source) {
  const std::size_t columns = row_size(shape);
  return {
      std::move(shape),
      [columns, numbers = std::move(numbers)](std::size_t first, std::size_t count, float* out) {
        std::copy_n(numbers.data() + first * columns, count * columns, out);
      },
      source};
}

TowerTensor part_of(TowerTensor tensor, std::size_t first, std::size_t count) {
  tensor.shape[0] = count;
  tensor.rows = [rows = tensor.rows, first](std::size_t from, std::size_t some, float* out) {
    rows(first + from, some, out);
  };
  return tensor;
}

std::vector<LayerSpec> layers_after(const Tower& tower, const std::string& prefix) {
  std::vector<LayerSpec> layers;
  if (tower.projects_by_two) {
    layers.push_back({LayerKind::linear, prefix + ".projection_in"});
    layers.push_back({LayerKind::gelu});
  }
  if (tower.projects) layers.push_back({LayerKind::linear, prefix + ".projection"});
  if (tower.ends_with_tanh) layers.push_back({LayerKind::tanh});
  return layers;
}

void write_tower(const fs::path& folder, const Tower& tower, const std::string& prefix,
                 WeightType type, Layout layout, const fs::path& file,
                 const std::map<std::string, std::string>& metadata) {
  std::vector<SafetensorsWriter::Place> places;
  for (const auto& [name, tensor] : tower.tensors) {
    const TensorType kept = kept_as(tensor, type);
    const std::string full = prefix + "." + name;
    std::vector<std::size_t> shape = tensor.shape;
    if (in_panels(name, tensor, layout)) shape = {panels_of(shape[0]), shape[1], kPanelOutputs};
    places.push_back({full, kept, signed_shape(shape)});
    if (kept == TensorType::int8) {
      places.push_back(
          {scale_name(full), TensorType::float32, {static_cast<std::int64_t>(tensor.shape[0])}});
    }
  }
  SafetensorsWriter writer(file, places, metadata);
  for (const auto& [name, tensor] : tower.tensors) {
    const TensorType kept = kept_as(tensor, type);
    const std::size_t columns = row_size(tensor.shape);
    const bool panels = in_panels(name, tensor, layout);
    Rounding rounding(kept, columns);
    const std::size_t at_once =
        panels ? kPanelOutputs : std::max<std::size_t>(1, kNumbersAtOnce / columns);
    for_rows(folder, tensor, at_once, [&](std::span<const float> numbers) {
      const std::vector<std::byte> rows = rounding.bytes_of(numbers);
      writer.append(panels ? panel_of(rows, columns, bytes_per_number(kept)) : rows);
    });
    if (kept == TensorType::int8) writer.append(std::as_bytes(rounding.scales()));
  }
  writer.commit();
}

}  // namespace hinny
