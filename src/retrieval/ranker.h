// Where a query's best right candidate stands among the wrong ones.
#pragma once

#include <span>

#include "retrieval/vector_rows.h"

namespace hinny {

// A matrix product rounds equal vectors differently, as they fall on different tiles. So scores
// closer than rounding are computed again in double precision: what ties, ties, and the rank is
// the same whatever library and processor made the scores. Does not own what it is made from; safe
// to share between threads.
class Ranker {
 public:
  static constexpr std::size_t kMiss = 10;  // from here on nobody asks

  // `labels` [candidates]: those with the query's label are right.
  Ranker(const VectorRows& candidates, std::span<const int> labels);

  // How many wrong candidates score no lower than the best right one; counted up to kMiss at
  // least. `scores` [candidates] are their products with `query` [dim] in single precision. A NaN
  // counts against the right one, on either side.
  std::size_t wrong_ahead(std::span<const float> query, const float* scores, int label) const;

 private:
  std::size_t close_ahead(std::span<const float> query, const float* scores, int label, float low,
                          float high, std::size_t most) const;
  std::span<const float> candidate(std::size_t row) const;

  VectorRows candidates_;
  std::span<const int> labels_;
  double longest_ = 0;
};

}  // namespace hinny
