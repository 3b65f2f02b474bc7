#include "training/recipe.h"

#include <fmt/format.h>
#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

#include <set>
#include <sstream>

#include "base/error.h"
#include "base/files.h"

namespace hinny {
namespace {

constexpr int kMostBases = 8;  // one upon the other: a chain, no circle

struct Place {
  std::string file;
  std::size_t line = 0;
  [[noreturn]] void fail(const std::string& what, const std::string& expected) const {
    if (line > 0) throw InputError(std::filesystem::path(file), line, what, expected);
    throw InputError(fmt::format("{}: {}", file, what), expected);
  }
};

template <typename T>
T read_plain(const toml::node& node, const std::string& key, const Place& place,
             const char* expected) {
  if constexpr (std::is_same_v<T, double>) {
    if (node.is_integer()) return static_cast<double>(*node.value<std::int64_t>());
  }
  const auto* value = node.as<T>();
  if (value == nullptr) place.fail(fmt::format("'{}' has the wrong type", key), expected);
  return value->get();
}

std::vector<std::string> read_names(const toml::node& node, const std::string& key,
                                    const Place& place) {
  if (!node.is_array()) place.fail(fmt::format("'{}' has the wrong type", key), "[\"en\", \"de\"]");
  std::vector<std::string> names;
  for (const toml::node& item : *node.as_array()) {
    names.push_back(read_plain<std::string>(item, key, place, "an array of strings"));
  }
  return names;
}

// Stores a TOML value in the setting, whose type it must have.
struct Store {
  const toml::node& node;
  const std::string& key;
  const Place& place;

  void operator()(bool* to) const { *to = read_plain<bool>(node, key, place, "true or false"); }
  void operator()(std::int64_t* to) const {
    *to = read_plain<std::int64_t>(node, key, place, "a whole number");
  }
  void operator()(double* to) const { *to = read_plain<double>(node, key, place, "a number"); }
  void operator()(std::string* to) const {
    *to = read_plain<std::string>(node, key, place, "a string in quotes");
  }
  void operator()(std::vector<std::string>* to) const { *to = read_names(node, key, place); }
  void operator()(std::map<std::string, std::int64_t>* to) const {
    numbers(to, "{en = 2}", "a whole number");
  }
  void operator()(std::map<std::string, double>* to) const {
    numbers(to, "{en = 0.5}", "a number");
  }
  template <typename Number>
  void numbers(std::map<std::string, Number>* to, const char* table, const char* number) const {
    if (!node.is_table()) place.fail(fmt::format("'{}' has the wrong type", key), table);
    to->clear();
    for (const auto& [name, item] : *node.as_table()) {
      (*to)[std::string(name.str())] = read_plain<Number>(item, key, place, number);
    }
  }
  void operator()(std::map<std::string, std::vector<std::string>>* to) const {
    if (!node.is_table()) {
      place.fail(fmt::format("'{}' has the wrong type", key), "{de = [\"human-original\"]}");
    }
    to->clear();
    for (const auto& [name, item] : *node.as_table()) {
      (*to)[std::string(name.str())] = read_names(item, key, place);
    }
  }
  void operator()(std::vector<std::vector<std::string>>* to) const {
    if (!node.is_array()) place.fail(fmt::format("'{}' has the wrong type", key), "[[\"en\"]]");
    to->clear();
    for (const toml::node& item : *node.as_array()) to->push_back(read_names(item, key, place));
  }
};

void store(Recipe& recipe, const std::string& key, const toml::node& node, const Place& place) {
  std::vector<std::string> known;
  bool found = false;
  for_each_key(recipe, [&](std::string_view name, Setting setting, std::string_view) {
    known.emplace_back(name);
    if (name != key) return;
    found = true;
    std::visit(Store{node, key, place}, setting);
  });
  if (!found) {
    place.fail(fmt::format("unknown key '{}'{}", key, did_you_mean(key, known)),
               "a key of docs/recipes.md");
  }
}

bool is_section(Recipe& recipe, const std::string& key) {
  bool section = false;
  for_each_key(recipe, [&](std::string_view name, Setting, std::string_view) {
    section |= name.starts_with(key + ".");
  });
  return section;
}

void store_table(Recipe& recipe, const toml::table& table, const std::string& prefix,
                 const std::string& file) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (node.is_table() && is_section(recipe, key)) {
      store_table(recipe, *node.as_table(), key + ".", file);
    } else {
      store(recipe, key, node, {file, static_cast<std::size_t>(node.source().begin.line)});
    }
  }
}

std::vector<std::string> built_in_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : built_in_recipes()) names.push_back(name);
  return names;
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw InputError(std::filesystem::path(file), error.source().begin.line,
                     std::string(error.description()), "TOML");
  }
}

// The file's keys over those of the built-in recipe that its `base` names.
Recipe stacked(std::string_view text, const std::string& file, int depth) {
  toml::table table = parse_toml(text, file);
  Recipe recipe;
  if (const toml::node* node = table.get("base")) {
    const Place place{file, static_cast<std::size_t>(node->source().begin.line)};
    const auto name = read_plain<std::string>(*node, "base", place, "a recipe's name in quotes");
    const auto base = built_in_recipes().find(name);
    if (base == built_in_recipes().end() || depth >= kMostBases) {
      const std::vector<std::string> known = built_in_names();
      place.fail(fmt::format("no base '{}'{}", name, did_you_mean(name, known)),
                 fmt::format("one of {}", fmt::join(known, ", ")));
    }
    recipe = stacked(base->second, "recipes/" + name + ".toml", depth + 1);
    table.erase("base");
  }
  store_table(recipe, table, "", file);
  return recipe;
}

}  // namespace

Recipe parse_recipe(std::string_view text, const std::string& file) {
  if (!is_utf8(text)) throw InputError(std::filesystem::path(file), "broken UTF-8", "TOML");
  Recipe recipe = stacked(text, file, 0);
  check_recipe(recipe, file);
  return recipe;
}

Recipe read_recipe(const std::filesystem::path& file) {
  return parse_recipe(read_file(file, std::uint64_t{1} << 20U), file.string());
}

void set_key(Recipe& recipe, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string file = "--set " + assignment;
  if (equals == std::string::npos || equals == 0) {
    throw InputError("--set " + assignment, "key=value");
  }
  const std::string key = assignment.substr(0, equals);
  const std::string value = assignment.substr(equals + 1);
  toml::table table;
  try {
    table = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    table = toml::table{{"value", value}};  // a bare word
  }
  store(recipe, key, *table.get("value"), {file, 0});
}

Recipe find_recipe(const std::string& name_or_file) {
  const auto found = built_in_recipes().find(name_or_file);
  if (found != built_in_recipes().end()) {
    return parse_recipe(found->second, "recipes/" + name_or_file + ".toml");
  }
  if (name_or_file.ends_with(".toml")) return read_recipe(name_or_file);
  const std::vector<std::string> names = built_in_names();
  throw InputError(fmt::format("no recipe '{}'{}", name_or_file, did_you_mean(name_or_file, names)),
                   fmt::format("{} or a .toml file", fmt::join(names, ", ")));
}

}  // namespace hinny
