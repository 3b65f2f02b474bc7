// A pretrained model's transformer of pictures: pixels -> one row (Dosovitskiy et al. 2021).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "transformer/transformer.h"

namespace hinny {

inline constexpr std::string_view kPictureTower = "picture_tower";  // metadata: its specification

// Of FILE.safetensors that hinny bundle wrote (docs/formats/picture-tower.md). Throws InputError.
TransformerSpec picture_tower_spec(const Weights& weights);

// Checks tower.patches.{weight,bias} [width, 3 patch patch], tower.extra [extra, width],
// tower.positions [positions, width], tower.projection.* where there is one, and the transformer's
// own tensors. Throws InputError.
void check_picture_tower(const Weights& weights, const TransformerSpec& spec);

// As Transformer.
class PictureTower {
 public:
  PictureTower(const Weights& weights, const TransformerSpec& spec, const MakeDenseLayer& make);

  // Pictures [3, side, side], prepared -> [pictures, outputs()].
  std::vector<float> run(std::span<const float* const> pictures) const;
  std::size_t outputs() const;

 private:
  std::size_t side_, patch_;
  std::unique_ptr<DenseLayer> patches_, projection_;
  std::span<const float> extra_, positions_;
  Transformer transformer_;
};

}  // namespace hinny
