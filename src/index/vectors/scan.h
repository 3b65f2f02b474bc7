// Exact-enough search: all rows in int8 or in codes of fewer bits, then the best of them in full.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/checksums.h"
#include "index/vectors/codes.h"
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

// What a scan reads of each row. Does not own the numbers.
struct Scan {
  Scan(const Matrix& int8) : rows(int8) {}  // as it is: NOLINT(google-explicit-constructor)
  // `codes` are bytes [rows, space->row_bytes()] with s as scales; e: codes.h.
  Scan(const Matrix& codes, std::span<const float> e, std::shared_ptr<const CodeSpace> of)
      : rows(codes), errors(e), space(std::move(of)) {}

  int bits() const { return space ? space->bits() : kInt8; }
  std::size_t columns() const { return space ? space->columns() : rows.columns; }
  // sums[v * count + r]: rows of it, wherever they lie, with vectors in int8 (of codes
  // CodeQueries).
  void multiply(const std::int8_t* some, std::size_t count, const std::int8_t* vectors,
                std::size_t times, std::int32_t* sums) const;

  Matrix rows;
  std::span<const float> errors{};
  std::shared_ptr<const CodeSpace> space{};  // null: int8
};

// How many rows are looked at in full to find the k best, at most: of codes, some times as many as
// stood before the last of the ten best (docs/performance.md), for sentences are farther from
// pictures than those questions were.
constexpr std::size_t candidates(std::size_t k, int bits = kInt8) {
  if (bits == 1) return 100 * k + 2000;
  if (bits == 2) return 20 * k + 400;
  return bits == 4 ? 4 * k + 100 : 2 * k + 64;
}

// Of these rows of `vectors`, the k with the largest dot products, best first, equal scores by row;
// a row whose score is NaN is left out. `checked`: the file in which `vectors` lie; rows are
// compared with it before they are read. Null: they are not.
std::vector<Hit> best_rows(std::span<const std::size_t> rows, std::span<const float> vectors,
                           std::span<const float> query, std::size_t k,
                           const CheckedFile* checked = nullptr);

// The same of rows that a graph found by what `scan` reads: of codes, the candidates(k, bits) that
// are best by their estimates are looked at, and of these such as may be among the k best.
std::vector<Hit> best_found(const Scan& scan, std::span<const std::size_t> rows,
                            std::span<const float> vectors, std::span<const float> query,
                            std::size_t k, const CheckedFile* checked = nullptr);

// For each of `queries` [queries, dim], the k rows of `vectors` [rows, dim] with the largest dot
// products, best first, equal scores by row; a row whose score is NaN is left out. `scan` holds the
// same rows in fewer bits, `among` says which of them count (null: all). They are read once for all
// queries, and candidates(k, bits) rows per query are then looked at in full, so that only rows
// that close scores and the rounding push further down are missed: none where no more than those
// count. Of codes, rows whose estimate is too low by three standard errors are passed over. Uses
// several threads when that is much to read; the result does not depend on their number.
std::vector<std::vector<Hit>> top_hits(const Scan& scan, std::span<const float> vectors,
                                       std::span<const float> queries, std::size_t k,
                                       const RowMask* among = nullptr,
                                       const CheckedFile* checked = nullptr);

}  // namespace hinny
