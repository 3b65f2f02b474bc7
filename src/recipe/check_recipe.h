// Recipes that no training can use.
#pragma once

#include "recipe/keys.h"

namespace hinny {

// Throws InputError, with the place where the key was set, for a value that its key does not allow,
// for a key that is set and has no effect on the recipe's system, and for keys that do not go
// together. What the data must be like is not looked at.
void check_recipe(const Recipe& recipe);

// The first of these alone, of one key.
void check_value(Recipe& recipe, const RecipeKey& key);
// The last of these alone.
void check_rules(const Recipe& recipe);

// Throws InputError about `keys`, at the place of the one that was set last.
[[noreturn]] void refuse(const Recipe& recipe, const std::vector<std::string_view>& keys,
                         const std::string& what, const std::string& expected);

}  // namespace hinny
