// The newest of the pictures that score well enough.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "index/folder/index.h"
#include "index/vectors/row_mask.h"

namespace hinny {

// A question whose hits are put in the order of time.
struct NewestQuestion {
  const Query* query = nullptr;
  // Images that a re-ranking model has put in order, and their places in it: of what was taken in
  // one second these stand first.
  std::unordered_map<std::size_t, std::size_t> places{};
};

// For each of these questions, which are of one space, the k newest images of `among` (null: of
// all) that score `min_score` or more, but none of `known`: the newest first, what was taken in one
// second as it ranks. Exact: what rounding leaves open is measured in full; of
// codes but for one row in a billion (ScoreBounds). Vectors that are too
// old to be among the newest are not read. Throws RequestError for an index that knows no times.
std::vector<std::vector<Hit>> newest_hits(const Index& index,
                                          std::span<const NewestQuestion> questions,
                                          double min_score, std::span<const std::size_t> known,
                                          std::size_t k, const RowMask* among);

// Hits as they rank into that order.
void put_newest_first(const Index& index, const NewestQuestion& question, std::vector<Hit>& hits);

}  // namespace hinny
