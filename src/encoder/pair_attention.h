// Stacked cross attention (Lee et al. 2018, SCAN) of one sentence with pictures, and what carried
// a score. For a few thousand pictures a question; training and evaluation of all pairs have
// kernels/cross_attention.h, whose formula this is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/attention.h"

namespace hinny {

// words [words, dim], regions [pictures, regions, dim], both of any length but 0 -> [pictures].
// A picture's score depends on no other. On the calling thread, but for large products.
std::vector<float> pair_scores(const CrossAttention& attention, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim,
                               std::size_t regions_each);

// How much each word together with each region contributed to a picture's score: [words, regions],
// 1 altogether. A query (a word, or a region) has the share that its cosine has in the pooling,
// divided as its attention is.
std::vector<float> pair_shares(const CrossAttention& attention, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim);

}  // namespace hinny
