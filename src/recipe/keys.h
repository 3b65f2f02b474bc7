// Every key of a recipe, declared once: its rows are in recipe/keys, a file per section. Reading,
// checking, writing, `hinny recipes` and the table of docs/recipes.md follow them.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "recipe/condition.h"
#include "recipe/recipe.h"

namespace hinny {

// A setting that is one of an enumeration's values, known by its name.
struct ChoiceSetting {
  void* value;
  std::string_view (*name)(const void* value);
  bool (*assign)(void* value, std::string_view name);  // false: there is no such choice
  std::vector<std::string> (*names)();
};

// A pointer to one setting of a recipe.
using Setting = std::variant<
    bool*, std::int64_t*, double*, std::string*, ChoiceSetting, std::vector<std::int64_t>*,
    std::vector<std::string>*, std::map<std::string, std::int64_t>*, std::map<std::string, double>*,
    std::map<std::string, std::vector<std::string>>*, std::vector<std::vector<std::string>>*>;

// What a number may be, and each number of a table; both ends included.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct RecipeKey {
  std::string name;  // "loss.margin"
  std::function<Setting(Recipe&)> setting;
  Systems acts_in;
  std::string_view meaning;
  NumberRange range;
  std::vector<std::string> words;  // what each string of a list or table may be; empty: any
  std::string_view source;         // the paper, or the code, that it is of; empty: none
  Condition when;                  // by other keys, in the systems in which it acts

  bool acts(const Recipe& recipe) const { return acts_in.contains(recipe.model.system); }
  // Acts in the recipe's system, and nowhere in this recipe.
  bool is_idle(const Recipe& recipe) const { return acts(recipe) && !when.holds(recipe); }
  // "0 to 1", "mean, sum"; empty: whatever its type allows.
  std::string values() const;
};

// In the order of docs/recipes.md: section by section.
const std::vector<RecipeKey>& recipe_keys();

}  // namespace hinny
