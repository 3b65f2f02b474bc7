#include "recipe/check_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "recipe/recipe_text.h"

namespace hinny {
namespace {

// The first number outside of the key's range, or string that is none of its words; empty: none.
struct Misfit {
  const RecipeKey& key;

  std::string operator()(const bool*) const { return {}; }
  std::string operator()(const ChoiceSetting&) const { return {}; }
  template <typename Number>
  requires std::is_arithmetic_v<Number> std::string operator()(const Number* value) const {
    const auto number = static_cast<double>(*value);
    const bool fits = number >= key.range.low && number <= key.range.high;
    return fits ? std::string() : fmt::format("{}", *value);
  }
  std::string operator()(const std::string* value) const {
    if (key.words.empty() || std::ranges::find(key.words, *value) != key.words.end()) return {};
    return fmt::format("'{}'{}", *value, did_you_mean(*value, key.words));
  }
  template <typename Item>
  std::string operator()(const std::vector<Item>* items) const {
    return first(*items, [](const Item& item) { return &item; });
  }
  template <typename Item>
  std::string operator()(const std::map<std::string, Item>* items) const {
    return first(*items, [](const auto& item) { return &item.second; });
  }
  template <typename Items, typename Get>
  std::string first(const Items& items, const Get& get) const {
    for (const auto& item : items) {
      if (std::string misfit = (*this)(get(item)); !misfit.empty()) return misfit;
    }
    return {};
  }
};

// A key that is set and would be ignored is a mistake.
void check_acts(const Recipe& recipe, const RecipeKey& key) {
  if (key.acts(recipe)) return;
  refuse(recipe, {key.name},
         fmt::format("{} has no effect on system {}", key.name, name_of(recipe.model.system)),
         fmt::format("no such key, or a system that has it: {}", as_text(key.acts_in)));
}

}  // namespace

void refuse(const Recipe& recipe, const std::vector<std::string_view>& keys,
            const std::string& what, const std::string& expected) {
  const Origin* latest = nullptr;
  for (const std::string_view key : keys) {
    const auto found = recipe.origins.find(key);
    if (found == recipe.origins.end()) continue;
    if (latest == nullptr || found->second.layer > latest->layer) latest = &found->second;
  }
  throw InputError(latest == nullptr ? what : fmt::format("{}: {}", latest->where, what), expected);
}

void check_value(Recipe& recipe, const RecipeKey& key) {
  const std::string misfit = std::visit(Misfit{key}, key.setting(recipe));
  if (misfit.empty()) return;
  refuse(recipe, {key.name}, fmt::format("{} = {}", key.name, misfit), key.values());
}

void check_recipe(const Recipe& recipe) {
  Recipe copy = recipe;
  const std::vector<std::string> changed = differing_keys(Recipe{}, recipe);
  for (const RecipeKey& key : recipe_keys()) {
    check_value(copy, key);
    const bool set =
        recipe.origins.contains(key.name) || std::ranges::find(changed, key.name) != changed.end();
    if (set) check_acts(recipe, key);
  }
  check_rules(recipe);
}

}  // namespace hinny
