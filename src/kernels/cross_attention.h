// Stacked cross attention (Lee et al. 2018, SCAN) of every image with every caption: scores, and
// their gradients. The arithmetic alone, on memory that the caller owns (nn/cross_attention.h).
//
// Each query attends over the context; its score is the cosine of itself and the context as it
// sees it; the scores of a pair's queries are pooled into one. With s = q . c, what a query sees
// (sum_c a_c c) is never formed: its product with q is a . s, its square a^T G a with G the
// context's Gram matrix. So what grows with dim is one product for each word and region, 2 regions
// words dim operations a pair; at 36 regions, 13 words and dim 1024 all else takes an eighth of
// the time.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/factor.h"
#include "model/attention.h"

namespace hinny {

// Not owned. Vectors need not have length 1. `lengths` are the captions' word counts and add up to
// the rows of `words`.
template <typename T>
struct CrossAttentionInput {
  std::int64_t images = 0, regions = 0, dim = 0;
  const T* regions_of_images = nullptr;  // [images, regions, dim]
  const T* words = nullptr;              // [tokens, dim]
  std::span<const std::int64_t> lengths;
  Reads reads = Reads::whole;  // the products of regions and words
};

// scores [images, captions] =. A caption without words scores 0. T is float or double. Threads
// share the images and, where those are few, the captions (parallel_blocks); the result does not
// depend on how. Memory beside input and result: for each thread twice 16 images and 1 MB.
template <typename T>
void cross_attention_scores(const CrossAttention& attention, const CrossAttentionInput<T>& input,
                            T* scores);

// Gradients =, of both inputs, given that of the scores [images, captions]. Products are formed
// anew, so that scores and gradients cost four products instead of one; captions whose gradients
// are 0 for a block of 16 images (losses of hardest negatives leave few others) cost it nothing.
// Threads share the images. Memory: for each thread four times 16 images and one `words`. The
// result depends on the thread count alone.
template <typename T>
void cross_attention_gradients(const CrossAttention& attention, const CrossAttentionInput<T>& input,
                               const T* score_gradients, T* image_gradients, T* word_gradients);

}  // namespace hinny
