// What each image contributes to the difference of two systems' recall.
#pragma once

#include <span>
#include <vector>

#include "retrieval/paired_comparison.h"

namespace hinny {

// What an image adds to a language's difference, as sums over images and k: hits of the first
// system less those of the second, and how many queries they are of.
enum Part : std::size_t { kImageHits, kImageQueries, kCaptionHits, kCaptionQueries, kParts };

struct PairedUnits {
  std::size_t count = 0;
  std::size_t languages = 0;
  std::vector<float> parts;  // [languages, kParts, count], whole numbers
};

// Of the images that have a caption in some language. Throws as compare_ranks does.
PairedUnits units_of(std::span<const PairedRanks> languages);

}  // namespace hinny
