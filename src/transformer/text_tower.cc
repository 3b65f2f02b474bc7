#include "transformer/text_tower.h"

#include "transformer/token_loops.h"

namespace hinny {

void check_text_tower(const Weights& weights, const std::string& prefix,
                      const TransformerSpec& spec) {
  weights.check(prefix + ".tokens", {spec.vocabulary, spec.width});
  weights.check(prefix + ".positions", {spec.positions, spec.width});
  check_transformer(weights, prefix, spec, check_panels);
}

TextTower::TextTower(const Weights& weights, const std::string& prefix, const TransformerSpec& spec)
    : weights_(weights),
      tokens_(prefix + ".tokens"),
      positions_(weights.numbers(prefix + ".positions")),
      transformer_(weights, prefix, spec, panel_layer) {}

std::vector<float> TextTower::run(std::span<const std::int32_t> ids, std::int32_t padding) const {
  const std::size_t width = spec().width;
  const std::size_t length = spec().padded ? spec().positions : ids.size();
  std::vector<float> rows(length * width);
  for (std::size_t i = 0; i < length; ++i) {
    const auto id = static_cast<std::size_t>(i < ids.size() ? ids[i] : padding);
    weights_.row(tokens_, id, std::span(rows).subspan(i * width, width));
  }
  add_numbers(positions_.data(), length * width, rows.data());
  return transformer_.run(std::move(rows), 1, length);
}

}  // namespace hinny
