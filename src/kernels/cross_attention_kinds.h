// For tests: every way of comparing a picture's regions and a sentence's words.
#pragma once

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

}  // namespace hinny
