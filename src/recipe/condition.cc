#include "recipe/condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "recipe/keys.h"
#include "recipe/recipe_text.h"

namespace hinny {
namespace {

// The key's value, without the quotes that TOML has around names.
std::string value_of(Recipe recipe, std::string_view name) {
  const auto key = std::ranges::find(recipe_keys(), name, &RecipeKey::name);
  std::string text = setting_text(key->setting(recipe));
  std::erase(text, '"');
  return text;
}

}  // namespace

Condition::Condition(std::string_view key, std::vector<std::string_view> values)
    : ways_{{Says{key, std::move(values)}}} {}

Condition Condition::operator&&(const Condition& other) const {
  Condition both;
  for (const auto& way : ways_) {
    for (const auto& more : other.ways_) {
      both.ways_.push_back(way);
      both.ways_.back().insert(both.ways_.back().end(), more.begin(), more.end());
    }
  }
  return both;
}

Condition Condition::operator||(const Condition& other) const {
  Condition either = *this;
  either.ways_.insert(either.ways_.end(), other.ways_.begin(), other.ways_.end());
  return either;
}

bool Condition::Says::holds(const Recipe& recipe) const {
  const std::string value = value_of(recipe, key);
  if (!values.empty()) return std::ranges::find(values, value) != values.end();
  constexpr std::array<std::string_view, 6> kOff = {"0", "0.0", "false", "", "[]", "{}"};
  return std::ranges::find(kOff, value) == kOff.end();
}

std::string Condition::Says::text() const {
  return values.empty() ? std::string(key) : fmt::format("{} = {}", key, fmt::join(values, " or "));
}

bool Condition::holds(const Recipe& recipe) const {
  return always() || std::ranges::any_of(ways_, [&](const auto& way) {
           return std::ranges::all_of(way, [&](const Says& says) { return says.holds(recipe); });
         });
}

std::string Condition::text() const {
  std::vector<std::string> ways;
  for (const auto& way : ways_) {
    std::vector<std::string> all;
    for (const Says& says : way) all.push_back(says.text());
    ways.push_back(fmt::format("{}", fmt::join(all, " and ")));
  }
  return fmt::format("{}", fmt::join(ways, ", or "));
}

std::string Condition::found(const Recipe& recipe) const {
  std::vector<std::string> all;
  for (const auto& way : ways_) {
    for (const Says& says : way) {
      if (says.holds(recipe)) continue;
      std::string one = fmt::format("{} = {}", says.key, value_of(recipe, says.key));
      if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
    }
  }
  return fmt::format("{}", fmt::join(all, " and "));
}

}  // namespace hinny
