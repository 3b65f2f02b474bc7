// Words in the space that languages share, worked out from MULE's parameters.
#pragma once

#include <ATen/ops/stack.h>

#include "tests/small_system.h"

namespace hinny {

// [captions, mule_dim]: the mean of each caption's words behind their language's layer.
inline torch::Tensor means_in_space(const SmallSystem& small, const std::string& language,
                                    const CaptionBatch& captions) {
  const std::string tower = "text_" + language;
  std::vector<torch::Tensor> means;
  for (std::int64_t c = 0, first = 0; c < captions.captions(); ++c) {
    const auto length = captions.lengths[c].item<std::int64_t>();
    const torch::Tensor words = small.parameter(tower + ".words")
                                    .index_select(0, captions.ids.slice(0, first, first + length));
    means.push_back((words.matmul(small.parameter(tower + ".space.weight").t()) +
                     small.parameter(tower + ".space.bias"))
                        .mean(0));
    first += length;
  }
  return at::stack(means);
}

inline Items units_in_space(const SmallSystem& small, const std::string& language,
                            const CaptionBatch& captions) {
  Rows rows = numbers(means_in_space(small, language, captions));
  for (Row& row : rows) row = unit(std::move(row));
  return {std::move(rows), SmallSystem::images_of(captions)};
}

}  // namespace hinny
