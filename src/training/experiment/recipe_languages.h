// Languages that a recipe names.
#pragma once

#include "data/dataset.h"
#include "recipe/recipe.h"

namespace hinny {

// Codes of the dataset's languages become the dataset's, however the recipe spells them.
void use_codes_of(const Dataset& dataset, Recipe& recipe);

}  // namespace hinny
