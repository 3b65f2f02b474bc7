// A tower of a pretrained model on its way from the names of its family to Hinny's own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "model/transformer_config.h"
#include "pretrained/source_folder.h"
#include "tensors/export_weights.h"

namespace hinny {

// A tensor that is made when it is written, a few rows at a time.
struct TowerTensor {
  std::vector<std::size_t> shape;  // one or two sizes
  // Rows [first, first + count) -> count times the row's numbers. Of a vector, a row is a number.
  std::function<void(std::size_t first, std::size_t count, float* out)> rows;
  std::string source;  // its name in the family's files, for messages
  bool exact = false;  // float32 whatever the others are rounded to: small, or added to everything
};

// Refers to the SourceFolder that it was made of.
struct Tower {
  TransformerSpec spec;
  std::map<std::string, TowerTensor> tensors;  // without prefix
  std::size_t outputs = 0;                     // numbers of a vector
  bool projects = false;                       // by "projection", else the width
  bool ends_with_tanh = false;                 // after it
  bool projects_by_two = false;                // "projection_in" and GELU before it
};

// Of a view: as it is; the rows of several one below the other; rows and columns exchanged; each
// row times a number; a part of its rows.
TowerTensor same(const TensorView& view, const std::string& source);
TowerTensor stacked(const std::vector<const TensorView*>& views, const std::string& source);
TowerTensor transposed(const TensorView& view, const std::string& source);
TowerTensor scaled(const TensorView& view, const TensorView& factors, const std::string& source);
TowerTensor zeros(std::vector<std::size_t> shape);
TowerTensor given(std::vector<std::size_t> shape, std::vector<float> numbers,
                  const std::string& source);
// Rows [first, first + count) of another.
TowerTensor part_of(TowerTensor tensor, std::size_t first, std::size_t count);

enum class Layout { rows, panels };  // of a block's matrices (tensors/panels.h)

// All tensors under `prefix` into one file, matrices as asked for. Written as a stream: memory is
// that of a few rows. Throws InputError naming the source of a number that is not finite.
void write_tower(const std::filesystem::path& folder, const Tower& tower, const std::string& prefix,
                 WeightType type, Layout layout, const std::filesystem::path& file,
                 const std::map<std::string, std::string>& metadata);

// What follows the pooling, as layers of a model whose tensors stand under `prefix`.
std::vector<LayerSpec> layers_after(const Tower& tower, const std::string& prefix);

}  // namespace hinny
