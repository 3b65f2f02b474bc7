// Pictures that are nearly the same: one photograph saved again, cut or brightened a little, shots
// of one burst.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/folder/index.h"

namespace hinny {

// Two pictures are near copies when the cosine of their own vectors is at least
// this (docs/results.md, "Near copies", says how it was chosen).
constexpr float kNearCopies = 0.93F;

// A set of images in which none is a near copy of another, in one of the index's spaces. Vectors
// are compared in int8 first, and in full precision where that does not decide: rounding misses
// nothing.
class Originals {
 public:
  // The index must outlive it.
  Originals(const Index& index, std::string space);

  void add(std::size_t image);
  // The first added that this image is a near copy of, by its place.
  std::optional<std::size_t> original_of(std::size_t image) const;
  // The images of `among` (null: of all) that are a near copy of one, or all but are, each once, in
  // order; the originals themselves are. One pass over the collection, whatever their number.
  std::vector<std::size_t> near(const std::vector<std::size_t>* among) const;

 private:
  class Pass;
  std::size_t size() const { return scales_.size(); }
  float cosine(std::size_t original, std::size_t image) const;

  const Index& index_;
  std::string space_;
  Matrix scan_;
  std::vector<std::size_t> images_;
  std::vector<std::int8_t> numbers_;  // [originals, scan_.columns]
  std::vector<float> scales_;
};

}  // namespace hinny
