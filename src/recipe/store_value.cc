#include "recipe/store_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace hinny {
namespace {

// Stores a TOML value in the setting, whose type it must have.
struct Store {
  const toml::node& node;
  const std::string& key;
  const std::string& where;

  [[noreturn]] void wrong_type(const std::string& expected) const {
    throw InputError(fmt::format("{}: '{}' has the wrong type", where, key), expected);
  }
  template <typename Value>
  Value plain(const toml::node& item, const char* expected) const {
    if constexpr (std::is_same_v<Value, double>) {
      if (item.is_integer()) return static_cast<double>(*item.value<std::int64_t>());
    }
    const auto* value = item.as<Value>();
    if (value == nullptr) wrong_type(expected);
    return value->get();
  }
  std::vector<std::string> names(const toml::node& list) const {
    if (!list.is_array()) wrong_type("[\"en\", \"de\"]");
    std::vector<std::string> all;
    for (const toml::node& item : *list.as_array()) {
      all.push_back(plain<std::string>(item, "an array of strings"));
    }
    return all;
  }
  // A table whose values `read` makes of its items.
  template <typename Value, typename Read>
  void table(std::map<std::string, Value>* to, const char* expected, const Read& read) const {
    if (!node.is_table()) wrong_type(expected);
    to->clear();
    for (const auto& [name, item] : *node.as_table()) (*to)[std::string(name.str())] = read(item);
  }

  void operator()(bool* to) const { *to = plain<bool>(node, "true or false"); }
  void operator()(std::int64_t* to) const { *to = plain<std::int64_t>(node, "a whole number"); }
  void operator()(double* to) const { *to = plain<double>(node, "a number"); }
  void operator()(std::string* to) const { *to = plain<std::string>(node, "a string in quotes"); }
  void operator()(const ChoiceSetting& choice) const {
    const auto name = plain<std::string>(node, "a string in quotes");
    if (choice.assign(choice.value, name)) return;
    const std::vector<std::string> known = choice.names();
    throw InputError(fmt::format("{}: {} = '{}'{}", where, key, name, did_you_mean(name, known)),
                     fmt::format("{}", fmt::join(known, ", ")));
  }
  void operator()(std::vector<std::int64_t>* to) const {
    if (!node.is_array()) wrong_type("[3, 5]");
    to->clear();
    for (const toml::node& item : *node.as_array()) {
      to->push_back(plain<std::int64_t>(item, "an array of whole numbers"));
    }
  }
  void operator()(std::vector<std::string>* to) const { *to = names(node); }
  void operator()(std::map<std::string, std::int64_t>* to) const {
    table(to, "{en = 2}",
          [&](const toml::node& item) { return plain<std::int64_t>(item, "a whole number"); });
  }
  void operator()(std::map<std::string, double>* to) const {
    table(to, "{en = 0.5}",
          [&](const toml::node& item) { return plain<double>(item, "a number"); });
  }
  void operator()(std::map<std::string, std::vector<std::string>>* to) const {
    table(to, "{de = [\"human-original\"]}", [&](const toml::node& item) { return names(item); });
  }
  void operator()(std::vector<std::vector<std::string>>* to) const {
    if (!node.is_array()) wrong_type("[[\"en\"]]");
    to->clear();
    for (const toml::node& item : *node.as_array()) to->push_back(names(item));
  }
};

}  // namespace

void store_value(const Setting& setting, const toml::node& node, const std::string& key,
                 const std::string& where) {
  std::visit(Store{node, key, where}, setting);
}

void copy_value(const Setting& from, const Setting& to) {
  std::visit(
      [&](const auto& target) {
        using Target = std::decay_t<decltype(target)>;
        const auto& source = std::get<Target>(from);
        if constexpr (std::is_same_v<Target, ChoiceSetting>) {
          target.assign(target.value, source.name(source.value));
        } else {
          *target = *source;
        }
      },
      to);
}

}  // namespace hinny
