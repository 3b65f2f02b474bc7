// The rank of each query's answer, from which recall is counted.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "retrieval/recall.h"
#include "retrieval/score_matrix.h"
#include "retrieval/vector_rows.h"

namespace hinny {

// The K of recall at K.
inline constexpr std::array kCutoffs = {1, 5, 10};

// For each query the number of wrong candidates that stand no lower than its best right one: a hit
// at K when below K. Ten (Ranker::kMiss) or more are ten.
struct QueryRanks {
  static constexpr int kNoQuery = -1;  // an image without a caption
  std::vector<int> by_image;           // [images]: images that ask for their captions
  std::vector<int> by_caption;         // [captions]: captions that ask for their image
};

// `image_of_caption[c]` is the row of the caption's image; any number of captions per image.
// Vectors are compared by dot product, in blocks: memory stays below 64 MB beyond the inputs,
// whatever their size. A tied wrong candidate stands above the right one; equal vectors tie
// (retrieval/ranker.h), and so do equal scores. NaN is a miss.
QueryRanks rank_queries(const VectorRows& images, const VectorRows& captions,
                        std::span<const int> image_of_caption);
QueryRanks rank_queries(const ScoreMatrix& scores, std::span<const int> image_of_caption);

// What rank_queries checks: throws std::invalid_argument for matrices that are not rows x dim or of
// different dim, or unless each caption has an image.
void check_vectors(const VectorRows& images, const VectorRows& captions,
                   std::span<const int> image_of_caption);
void check_owners(std::span<const int> image_of_caption, std::size_t images, std::size_t captions);

// Never more than Ranker::kMiss.
int capped_rank(std::size_t wrong_ahead);

// Without a language's name. No query at all: zeros.
LanguageRecall recall_of(const QueryRanks& ranks);

}  // namespace hinny
