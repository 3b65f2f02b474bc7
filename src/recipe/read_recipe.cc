#include "recipe/read_recipe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>

#include "base/error.h"
#include "base/run_files.h"
#include "base/text_file.h"
#include "base/utf8.h"
#include "recipe/check_recipe.h"
#include "recipe/store_value.h"

namespace hinny {
namespace {

constexpr int kMostBases = 8;          // one upon the other: a chain, no circle
constexpr int kCommandLine = 1 << 10;  // its layer: above all files

std::string line_of(const std::string& file, const toml::node& node) {
  return fmt::format("{}:{}", file, node.source().begin.line);
}

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const RecipeKey& key : recipe_keys()) names.push_back(key.name);
  return names;
}

void store(Recipe& recipe, const std::string& name, const toml::node& node, Origin origin) {
  const auto key = std::ranges::find(recipe_keys(), name, &RecipeKey::name);
  if (key == recipe_keys().end()) {
    throw InputError(
        fmt::format("{}: unknown key '{}'{}", origin.where, name, did_you_mean(name, key_names())),
        "a key of docs/recipes.md");
  }
  store_value(key->setting(recipe), node, name, origin.where);
  recipe.origins[name] = std::move(origin);
  check_value(recipe, *key);
}

bool is_section(const std::string& name) {
  return std::ranges::any_of(
      recipe_keys(), [&](const RecipeKey& key) { return key.name.starts_with(name + "."); });
}

// One file's keys, for one layer.
struct Layer {
  std::string file;
  int number = 0;

  void store_table(Recipe& recipe, const toml::table& table, const std::string& prefix) const {
    for (const auto& [name, node] : table) {
      const std::string key = prefix + std::string(name.str());
      if (node.is_table() && is_section(key)) {
        store_table(recipe, *node.as_table(), key + ".");
      } else {
        store(recipe, key, node, {line_of(file, node), number});
      }
    }
  }
};

// What messages call it.
std::string file_of_built_in(const std::string& name) { return "recipes/" + name + ".toml"; }

std::vector<std::string> built_in_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : built_in_recipes()) names.push_back(name);
  return names;
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  if (!is_utf8(text)) throw InputError(std::filesystem::path(file), "broken UTF-8", "TOML");
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(std::filesystem::path(file), error.source().begin.line,
                     std::string(error.description()), "TOML");
  }
}

std::string read_recipe_file(const std::filesystem::path& file) {
  return read_text(file, std::uint64_t{1} << 20U);
}

// The file's keys over those of the built-in recipe that its `base` names.
Recipe stacked(std::string_view text, const std::string& file, int depth) {
  toml::table table = parse_toml(text, file);
  Recipe recipe;
  if (const toml::node* node = table.get("base")) {
    const std::string where = line_of(file, *node);
    std::string name;
    store_value(&name, *node, "base", where);
    const auto base = built_in_recipes().find(name);
    if (base == built_in_recipes().end() || depth >= kMostBases) {
      const std::vector<std::string> known = built_in_names();
      throw InputError(fmt::format("{}: no base '{}'{}", where, name, did_you_mean(name, known)),
                       fmt::format("one of {}", fmt::join(known, ", ")));
    }
    recipe = stacked(base->second, file_of_built_in(name), depth + 1);
    table.erase("base");
  }
  Layer{file, kMostBases - depth}.store_table(recipe, table, "");
  return recipe;
}

// Sets keys without effect on the recipe's system, of layers below `layer`, back to their defaults.
void drop_without_effect(Recipe& recipe, int layer) {
  Recipe defaults;
  for (const RecipeKey& key : recipe_keys()) {
    const auto origin = recipe.origins.find(key.name);
    if (key.acts(recipe) || origin == recipe.origins.end() || origin->second.layer >= layer) {
      continue;
    }
    copy_value(key.setting(defaults), key.setting(recipe));
    recipe.origins.erase(origin);
  }
}

// A run holds every key of its system, set by nobody: what is idle there is no mistake.
void forget_idle(Recipe& recipe) {
  for (const RecipeKey& key : recipe_keys()) {
    const auto origin = recipe.origins.find(key.name);
    if (origin == recipe.origins.end() || origin->second.layer == kCommandLine) continue;
    if (key.is_idle(recipe)) recipe.origins.erase(origin);
  }
}

Recipe finished(Recipe recipe, bool of_run = false) {
  if (of_run) forget_idle(recipe);
  const auto system = recipe.origins.find("system");
  const int named_in = system == recipe.origins.end() ? 0 : system->second.layer;
  drop_without_effect(recipe, of_run ? kCommandLine : named_in);
  check_recipe(recipe);
  return recipe;
}

// Whether the file is what a training wrote beside its model.
bool is_of_run(const std::filesystem::path& file) {
  return file.filename() == kRecipeFile &&
         std::filesystem::exists(file.parent_path() / kConfigFile);
}

Recipe named_recipe(const std::string& name_or_file) {
  const auto found = built_in_recipes().find(name_or_file);
  if (found != built_in_recipes().end()) {
    return stacked(found->second, file_of_built_in(name_or_file), 0);
  }
  if (name_or_file.ends_with(".toml"))
    return stacked(read_recipe_file(name_or_file), name_or_file, 0);
  const std::vector<std::string> names = built_in_names();
  throw InputError(fmt::format("no recipe '{}'{}", name_or_file, did_you_mean(name_or_file, names)),
                   fmt::format("{} or a .toml file", fmt::join(names, ", ")));
}

}  // namespace

Recipe find_recipe(const std::string& name_or_file, const std::vector<std::string>& set) {
  Recipe recipe = named_recipe(name_or_file);
  for (const std::string& assignment : set) set_key(recipe, assignment);
  return finished(std::move(recipe), is_of_run(name_or_file));
}

Recipe parse_recipe(std::string_view text, const std::string& file) {
  return finished(stacked(text, file, 0));
}

Recipe read_run_recipe(const std::filesystem::path& file) {
  Recipe recipe = stacked(read_recipe_file(file), file.string(), 0);
  return finished(std::move(recipe), /*of_run=*/true);
}

void set_key(Recipe& recipe, const std::string& assignment) {
  const std::string option = "--set " + assignment;
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) throw InputError(option, "key=value");
  const std::string key = assignment.substr(0, equals);
  const std::string value = assignment.substr(equals + 1);
  toml::table table;
  try {
    table = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    table = toml::table{{"value", value}};  // a bare word
  }
  store(recipe, key, *table.get("value"), {option, kCommandLine});
}

bool is_of_built_in(const Origin& origin) {
  return std::ranges::any_of(built_in_recipes(), [&](const auto& recipe) {
    return origin.where.starts_with(file_of_built_in(recipe.first) + ":");
  });
}

void note_option(Recipe& recipe, const std::string& key, const std::string& option) {
  recipe.origins[key] = {option, kCommandLine};
}

}  // namespace hinny
