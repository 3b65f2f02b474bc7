// Pictures that are nearly the same: one photograph saved again, cut or brightened a little, shots
// of one burst.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/folder/index.h"

namespace hinny {

// Two pictures are near copies when the cosine of their own vectors is at least
// this (docs/results.md, "Near copies", says how it was chosen).
constexpr float kNearCopies = 0.93F;

// An image, and which of the originals it is a near copy of: the first of them, by its place.
struct NearCopy {
  std::size_t image = 0;
  std::size_t original = 0;
};

// Images of one of the index's spaces that others may be near copies of. Vectors are compared in
// int8 first, most of them by a part of their numbers, and in full where that leaves it open:
// nothing is missed by the rounding. By codes, one pair in a billion is (ScoreBounds).
class Originals {
 public:
  // The index must outlive it.
  Originals(const Index& index, const std::string& space);

  void add(std::size_t image);
  std::size_t size() const { return images_.size(); }
  // The first of those from place `first` on that this image is a near copy of.
  std::optional<std::size_t> original_of(std::size_t image, std::size_t first = 0) const;
  // The same of all for each of `images`, on several threads; those that are a copy of none are
  // left out, the others stand in their order.
  std::vector<NearCopy> copies_among(std::span<const std::size_t> images) const;

 private:
  friend class NearPairs;
  friend std::vector<std::vector<NearCopy>> near_copies(std::span<const Originals* const> of,
                                                        const RowMask* among);
  const float* vector(std::size_t image) const;
  float cosine(std::size_t original, std::size_t image) const;

  std::size_t dim_;
  Scan scan_;
  Index::VectorTable table_;
  std::vector<std::size_t> images_;
  std::vector<float> rows_;           // [originals, scan_.columns()]
  std::vector<std::int8_t> numbers_;  // in int8
  std::vector<float> scales_;
};

// For each of these, which are of one space of one index, all images of `among` (null: of all) that
// are near copies of any, in order; the originals themselves are. One pass over the collection,
// whatever their number, on several threads.
std::vector<std::vector<NearCopy>> near_copies(std::span<const Originals* const> of,
                                               const RowMask* among);

}  // namespace hinny
