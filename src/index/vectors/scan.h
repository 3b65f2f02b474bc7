// Exact-enough search: all rows in int8, then the best of them in full.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/checksums.h"
#include "index/vectors/row_mask.h"
#include "tensors/matrix.h"

namespace hinny {

struct Hit {
  std::size_t image = 0;  // position in the index
  float score = 0;
};

// The better one first, of equal scores the one that stands first.
inline bool ranks_before(const Hit& a, const Hit& b) {
  return a.score != b.score ? a.score > b.score : a.image < b.image;
}

// How many rows are looked at in full to find the k best.
constexpr std::size_t candidates(std::size_t k) { return 2 * k + 64; }

// Of these rows of `vectors`, the k with the largest dot products, best first, equal scores by row;
// a row whose score is NaN is left out. `checked`: the file in which `vectors` lie; rows are
// compared with it before they are read. Null: they are not.
std::vector<Hit> best_rows(std::span<const std::size_t> rows, std::span<const float> vectors,
                           std::span<const float> query, std::size_t k,
                           const CheckedFile* checked = nullptr);

// For each of `queries` [queries, dim], the k rows of `vectors` [rows, dim] with the largest dot
// products, best first, equal scores by row; a row whose score is NaN is left out. `scan` holds the
// same rows in int8, `among` says which of them count (null: all). They are read once for all
// queries, and candidates(k) rows per query are then looked at in full, so that only rows that
// close scores and the rounding to int8 push further down are missed: none where no more than
// candidates(k) count. Uses several threads when that is much to read; the result does not depend
// on their number.
std::vector<std::vector<Hit>> top_hits(const Matrix& scan, std::span<const float> vectors,
                                       std::span<const float> queries, std::size_t k,
                                       const RowMask* among = nullptr,
                                       const CheckedFile* checked = nullptr);

}  // namespace hinny
