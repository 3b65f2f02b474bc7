// Features that hardly distinguish pictures, such as those of a detector that failed.
#pragma once

#include <span>

#include "data/features.h"

namespace hinny {

struct FeatureFacts {
  std::size_t images = 0;
  std::size_t zero = 0;       // images whose numbers are all 0
  std::int64_t numbers = 0;   // of an image
  std::int64_t constant = 0;  // numbers that are the same for all images

  bool all_equal() const { return images > 1 && constant == numbers; }
};

// Of these images, which have features; in one pass over their rows.
FeatureFacts feature_facts(const Features& features, std::span<const int> images);

}  // namespace hinny
