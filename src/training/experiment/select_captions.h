// The data conditions of a recipe: which training captions a system learns from.
#pragma once

#include <cstdint>

#include "data/dataset.h"
#include "recipe/recipe.h"

namespace hinny {

// Drops captions of the training split as `settings` say (sources first, then parallel text,
// images, languages and captions); other splits stay as they are. The same seed gives the same
// captions, and an image that one share keeps is kept by every larger one. Throws InputError when a
// language is left without training captions.
Dataset select_captions(Dataset dataset, const DataSettings& settings, std::uint64_t seed);

}  // namespace hinny
