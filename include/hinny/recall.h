// Recall at K in both directions, the field's protocol, on anybody's vectors.
#pragma once

#include <cstddef>
#include <span>

#include "hinny/export.h"

namespace hinny {
inline namespace v1 {

// Percentages.
struct Recall {
  double image_to_text_r1 = 0, image_to_text_r5 = 0, image_to_text_r10 = 0;
  double text_to_image_r1 = 0, text_to_image_r5 = 0, text_to_image_r10 = 0;
  double mean = 0;  // mR: of these six
};

// images [n, dim] and captions [m, dim], compared by dot product; owners[c] is the row of caption
// c's image. From an image, any of its captions among the first K is a hit; from a caption, its
// image. A wrong item with the same score stands before the right one; a NaN is a miss. Uses
// several threads; memory stays below 64 MB beside what is given. Throws InputError for sizes that
// do not fit and owners that are not there.
HINNY_API Recall recall(std::span<const float> images, std::span<const float> captions,
                        std::span<const int> owners, std::size_t dim);

}  // namespace v1
}  // namespace hinny
