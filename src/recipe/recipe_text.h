// Recipes as text.
#pragma once

#include <string>
#include <vector>

#include "recipe/keys.h"

namespace hinny {

// A setting's value as TOML.
std::string setting_text(const Setting& setting);
// Complete TOML: every key that acts in the recipe's system, with its value.
std::string as_toml(const Recipe& recipe);
std::vector<std::string> differing_keys(Recipe a, Recipe b);

// All keys, as the table of docs/recipes.md and as JSON.
std::string keys_as_markdown();
std::string keys_as_json();

}  // namespace hinny
