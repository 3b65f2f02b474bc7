// How SCAN compares a picture's regions with a sentence's words (Lee et al. 2018). What each choice
// computes: kernels/cross_attention.h.
#pragma once

#include "base/choice.h"

namespace hinny {

// Who asks: each word over the regions (t2i in the paper), or each region over the words (i2t).
enum class AttentionDirection { text_to_image, image_to_text };

// What becomes of a pair's products s[query, context] before the softmax over the context. l2 and
// softmax go over the queries of each context vector; clipped is a leaky ReLU of slope 0.1.
// clipped_l2 is the paper's; the others are its public code's l2norm, softmax, clipped, no_norm.
enum class AttentionNorm { none, clipped, l2, clipped_l2, softmax };

// log_sum_exp: log(sum_q e^(lambda_lse x_q)) / lambda_lse, not divided by the count.
enum class AttentionPooling { log_sum_exp, mean };

struct CrossAttention {
  AttentionDirection direction = AttentionDirection::text_to_image;
  AttentionNorm norm = AttentionNorm::clipped_l2;
  AttentionPooling pooling = AttentionPooling::log_sum_exp;
  double lambda_softmax = 9;
  double lambda_lse = 6;  // greater than 0

  bool operator==(const CrossAttention&) const = default;
};

template <>
struct Choices<AttentionDirection> {
  static constexpr Choice<AttentionDirection> all[] = {
      {AttentionDirection::text_to_image, "text-to-image"},
      {AttentionDirection::image_to_text, "image-to-text"}};
};

template <>
struct Choices<AttentionNorm> {
  static constexpr Choice<AttentionNorm> all[] = {{AttentionNorm::none, "none"},
                                                  {AttentionNorm::clipped, "clipped"},
                                                  {AttentionNorm::l2, "l2"},
                                                  {AttentionNorm::clipped_l2, "clipped-l2"},
                                                  {AttentionNorm::softmax, "softmax"}};
};

template <>
struct Choices<AttentionPooling> {
  static constexpr Choice<AttentionPooling> all[] = {{AttentionPooling::log_sum_exp, "lse"},
                                                     {AttentionPooling::mean, "mean"}};
};

}  // namespace hinny
