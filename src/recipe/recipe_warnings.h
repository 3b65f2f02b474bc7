// Settings that are allowed and probably not meant.
#pragma once

#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace hinny {

// A line each, for stderr. The recipe is one as a training has it: its languages and features
// named.
std::vector<std::string> recipe_warnings(const Recipe& recipe);

}  // namespace hinny
