// A split cut into folds that are measured by themselves (COCO's five folds of 1,000).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "retrieval/recall.h"

namespace hinny {

// The images [begin, end) and their captions.
struct Fold {
  std::size_t begin = 0, end = 0;
  std::vector<std::size_t> captions;  // rows of the whole, in its order
  std::vector<int> owners;            // of each the image, counted from `begin`
};

// Equal, consecutive folds of the images. Throws InputError where there are none, and for one
// without a caption. `image_of_caption[c]` is the row of the caption's image.
std::vector<Fold> cut_into_folds(std::size_t images, std::span<const int> image_of_caption,
                                 int folds);

// The mean of recall, the sum of captions.
LanguageRecall mean_of(std::span<const LanguageRecall> folds);

}  // namespace hinny
