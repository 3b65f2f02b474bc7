#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "training/recipe.h"

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
  std::vector<std::string> values;
  for_each_key(a, [&](std::string_view, Setting setting, std::string_view) {
    values.push_back(setting_text(setting));
  });
  std::vector<std::string> keys;
  auto value = values.begin();
  for_each_key(b, [&](std::string_view key, Setting setting, std::string_view) {
    if (setting_text(setting) != *value++) keys.emplace_back(key);
  });
  return keys;
}

std::string as_toml(const Recipe& recipe) {
  std::string text;
  std::string section;
  Recipe copy = recipe;
  for_each_key(copy, [&](std::string_view key, Setting setting, std::string_view) {
    const std::size_t dot = key.find('.');
    const std::string in(dot == std::string_view::npos ? "" : key.substr(0, dot));
    if (in != section) text += fmt::format("\n[{}]\n", in);
    section = in;
    const auto name = dot == std::string_view::npos ? key : key.substr(dot + 1);
    text += fmt::format("{} = {}\n", name, setting_text(setting));
  });
  return text;
}

}  // namespace hinny
