#include "transformer/picture_tower.h"

#include <algorithm>

#include "base/error.h"
#include "transformer/token_loops.h"

namespace hinny {
namespace {

const std::string kTower = "tower";
const std::string kPatches = "tower.patches", kProjection = "tower.projection";

void check_rows(const Weights& weights, const std::string& prefix, std::size_t outputs,
                std::size_t inputs) {
  weights.check(prefix + ".weight", {outputs, inputs});
  weights.check(prefix + ".bias", {outputs});
}

bool projects(const Weights& weights) { return weights.file().contains(kProjection + ".weight"); }

}  // namespace

TransformerSpec picture_tower_spec(const Weights& weights) {
  const auto& metadata = weights.file().metadata();
  const auto found = metadata.find(std::string(kPictureTower));
  if (found == metadata.end()) {
    throw InputError(weights.path(), "no network of pictures",
                     "what hinny bundle makes of a pretrained model's folder");
  }
  const TransformerSpec spec = read_transformer(JsonNode::parse(found->second, weights.path()));
  if (spec.sees_pictures()) return spec;
  throw InputError(weights.path(), "a transformer of sentences", "one of pictures");
}

void check_picture_tower(const Weights& weights, const TransformerSpec& spec) {
  check_rows(weights, kPatches, spec.width, 3 * spec.patch * spec.patch);
  if (spec.extra > 0) weights.check(kTower + ".extra", {spec.extra, spec.width});
  weights.check(kTower + ".positions", {spec.positions, spec.width});
  check_transformer(weights, kTower, spec, check_rows);
  if (!projects(weights)) return;
  check_rows(weights, kProjection, weights.rows(kProjection + ".weight"), spec.width);
}

PictureTower::PictureTower(const Weights& weights, const TransformerSpec& spec,
                           const MakeDenseLayer& make)
    : side_(spec.side),
      patch_(spec.patch),
      patches_(make(weights, kPatches)),
      positions_(weights.numbers(kTower + ".positions")),
      transformer_(weights, kTower, spec, make) {
  if (spec.extra > 0) extra_ = weights.numbers(kTower + ".extra");
  if (projects(weights)) projection_ = make(weights, kProjection);
}

std::size_t PictureTower::outputs() const {
  return projection_ ? projection_->outputs() : transformer_.spec().width;
}

std::vector<float> PictureTower::run(std::span<const float* const> pictures) const {
  const std::size_t across = side_ / patch_, squares = across * across;
  const std::size_t numbers = 3 * patch_ * patch_;
  std::vector<float> patches(pictures.size() * squares * numbers);
  float* to = patches.data();
  for (const float* picture : pictures) {
    for (std::size_t square = 0; square < squares; ++square) {
      const std::size_t top = square / across * patch_, left = square % across * patch_;
      for (std::size_t line = 0; line < 3 * patch_; ++line) {  // of each colour
        const std::size_t row = line / patch_ * side_ + top + line % patch_;
        to = std::copy_n(picture + row * side_ + left, patch_, to);
      }
    }
  }
  const TransformerSpec& spec = transformer_.spec();
  std::vector<float> embedded(pictures.size() * squares * spec.width);
  patches_->apply(patches.data(), pictures.size() * squares, embedded.data());
  std::vector<float> tokens(pictures.size() * spec.positions * spec.width);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    float* const first = tokens.data() + i * spec.positions * spec.width;
    std::copy_n(embedded.data() + i * squares * spec.width, squares * spec.width,
                std::ranges::copy(extra_, first).out);
    add_numbers(positions_.data(), positions_.size(), first);
  }
  std::vector<float> rows = transformer_.run(std::move(tokens), pictures.size(), spec.positions);
  if (!projection_) return rows;
  std::vector<float> projected(pictures.size() * projection_->outputs());
  projection_->apply(rows.data(), pictures.size(), projected.data());
  return projected;
}

}  // namespace hinny
