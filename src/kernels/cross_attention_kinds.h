// For tests: every way of comparing a picture's regions and a sentence's words.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/cross_attention.h"

namespace hinny {

inline std::vector<CrossAttention> every_kind(double softmax, double lse) {
  std::vector<CrossAttention> kinds;
  for (const auto direction :
       {AttentionDirection::text_to_image, AttentionDirection::image_to_text}) {
    for (const auto norm : {AttentionNorm::none, AttentionNorm::clipped, AttentionNorm::l2,
                            AttentionNorm::clipped_l2, AttentionNorm::softmax}) {
      for (const auto pooling : {AttentionPooling::log_sum_exp, AttentionPooling::mean}) {
        kinds.push_back({direction, norm, pooling, softmax, lse});
      }
    }
  }
  return kinds;
}

inline std::string kind_name(const testing::TestParamInfo<CrossAttention>& info) {
  const CrossAttention& kind = info.param;
  constexpr const char* kNorms[] = {"none", "clipped", "l2", "clipped_l2", "softmax"};
  std::string name =
      kind.direction == AttentionDirection::text_to_image ? "text_to_image_" : "image_to_text_";
  name += kNorms[static_cast<int>(kind.norm)];
  return name + (kind.pooling == AttentionPooling::mean ? "_mean" : "_log_sum_exp");
}

}  // namespace hinny
