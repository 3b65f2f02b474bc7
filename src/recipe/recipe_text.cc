#include "recipe/recipe_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace hinny {
namespace {

// TOML basic strings escape as JSON strings do.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string list_of(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const std::string& name : names) text += (text.size() > 1 ? ", " : "") + quoted(name);
  return text + "]";
}

struct Text {
  std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
  std::string operator()(const std::int64_t* value) const { return fmt::format("{}", *value); }
  std::string operator()(const double* value) const {
    const std::string text = fmt::format("{}", *value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  std::string operator()(const std::string* value) const { return quoted(*value); }
  std::string operator()(const ChoiceSetting& choice) const {
    return quoted(std::string(choice.name(choice.value)));
  }
  std::string operator()(const std::vector<std::int64_t>* value) const {
    return fmt::format("[{}]", fmt::join(*value, ", "));
  }
  std::string operator()(const std::vector<std::string>* value) const { return list_of(*value); }
  template <typename Number>
  std::string operator()(const std::map<std::string, Number>* value) const {
    std::string text = "{";
    for (const auto& [name, number] : *value) {
      text += fmt::format("{}{} = {}", text.size() > 1 ? ", " : "", quoted(name), (*this)(&number));
    }
    return text + "}";
  }
  std::string operator()(const std::map<std::string, std::vector<std::string>>* value) const {
    std::string text = "{";
    for (const auto& [name, list] : *value) {
      text += fmt::format("{}{} = {}", text.size() > 1 ? ", " : "", quoted(name), list_of(list));
    }
    return text + "}";
  }
  std::string operator()(const std::vector<std::vector<std::string>>* value) const {
    std::string text = "[";
    for (const auto& group : *value) text += (text.size() > 1 ? ", " : "") + list_of(group);
    return text + "]";
  }
};

}  // namespace

std::string setting_text(const Setting& setting) { return std::visit(Text{}, setting); }

std::vector<std::string> differing_keys(Recipe a, Recipe b) {
  std::vector<std::string> keys;
  for (const RecipeKey& key : recipe_keys()) {
    if (setting_text(key.setting(a)) != setting_text(key.setting(b))) keys.push_back(key.name);
  }
  return keys;
}

std::string as_toml(const Recipe& recipe) {
  std::string text;
  std::string section;
  Recipe copy = recipe;
  for (const RecipeKey& key : recipe_keys()) {
    if (!key.acts(recipe)) continue;
    const std::size_t dot = key.name.find('.');
    const std::string in = dot == std::string::npos ? "" : key.name.substr(0, dot);
    if (in != section) text += fmt::format("\n[{}]\n", in);
    section = in;
    const std::string name = dot == std::string::npos ? key.name : key.name.substr(dot + 1);
    text += fmt::format("{} = {}\n", name, setting_text(key.setting(copy)));
  }
  return text;
}

std::string keys_as_markdown() {
  std::string text = "| key | default | values | acts in | meaning |\n|---|---|---|---|---|\n";
  Recipe defaults;
  for (const RecipeKey& key : recipe_keys()) {
    std::string meaning(key.meaning);
    if (!key.source.empty()) meaning += fmt::format(" [{}]", key.source);
    const std::string when = key.when.always() ? "" : "; with " + key.when.text();
    text += fmt::format("| `{}` | `{}` | {} | {}{} | {} |\n", key.name,
                        setting_text(key.setting(defaults)), key.values(), as_text(key.acts_in),
                        when, meaning);
  }
  return text;
}

std::string keys_as_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  Recipe defaults;
  for (const RecipeKey& key : recipe_keys()) {
    nlohmann::ordered_json systems = nlohmann::ordered_json::array();
    for (const auto& [system, name] : Choices<SystemKind>::all) {
      if (key.acts_in.contains(system)) systems.push_back(name);
    }
    list.push_back({{"key", key.name},
                    {"default", setting_text(key.setting(defaults))},
                    {"values", key.values()},
                    {"systems", systems},
                    {"when", key.when.text()},
                    {"meaning", key.meaning},
                    {"source", key.source}});
  }
  return list.dump(2) + "\n";
}

}  // namespace hinny
