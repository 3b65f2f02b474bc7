// Recipes from TOML: built-in ones, files, and what a command line changes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "recipe/recipe.h"

namespace hinny {

// A recipe is read in layers: the built-in recipe that a file's `base` names, and that one's base,
// then the file, then `--set`; later ones count. A key without effect on the system is refused
// where it was set for it: in the layer that names the system, or a later one. What a base of
// another system says besides is dropped.
//
// A key that has an effect on the system, but none beside what other keys of the recipe say
// (RecipeKey::when), waits for what is turned on later: recipe_warnings tells of it.
//
// Strict: an unknown key, a wrong type or value, a key without effect, or keys that do not go
// together are an InputError with the file and line or the `--set`, which suggests the nearest
// name.

// A built-in recipe's name, or the path of a TOML file, which may be a run's own; `set` are
// assignments as of set_key.
Recipe find_recipe(const std::string& name_or_file, const std::vector<std::string>& set = {});
Recipe parse_recipe(std::string_view text, const std::string& file);
const std::map<std::string, std::string>& built_in_recipes();  // name -> TOML
// Whether a built-in recipe set the key, and not its user.
bool is_of_built_in(const Origin& origin);

// `--set key=value`: the value is TOML, or a bare word taken as a string. Checks the value alone.
void set_key(Recipe& recipe, const std::string& assignment);
// For messages: that the command line's `option` set the key.
void note_option(Recipe& recipe, const std::string& key, const std::string& option);

// A run folder's recipe.toml. Keys without effect on its system are dropped: earlier versions wrote
// every key there is.
Recipe read_run_recipe(const std::filesystem::path& file);

}  // namespace hinny
