// Pictures that are nearly the same: one photograph saved again, cut or brightened a little, shots
// of one burst.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "index/index.h"

namespace hinny {

// Two pictures are near copies when the cosine of their own vectors is so high
// (docs/search-your-pictures.md says what that was measured on).
constexpr float kNearCopies = 0.93F;

// Images no two of which are near copies, in one of the index's spaces.
class Originals {
 public:
  // The index must outlive it.
  Originals(const Index& index, std::string space) : index_(index), space_(std::move(space)) {}

  void add(std::size_t image);
  // The first added that this image is a near copy of, by its place.
  std::optional<std::size_t> original_of(std::size_t image);
  // The images of `among` (null: of all) that are probably a near copy of one, each once, in order;
  // the originals themselves are. Found as Index::search finds.
  std::vector<std::size_t> near(const std::vector<std::size_t>* among) const;

 private:
  const Index& index_;
  std::string space_;
  std::vector<float> vectors_;  // [originals, dim]
  std::vector<float> cosines_;
};

}  // namespace hinny
