// Every verb's options and modes, as the programs tell them (`hinny VERB --describe`,
// cli/modes.h).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/program.h"

namespace hinny::verb_options {

using nlohmann::json;
using Words = std::vector<std::string>;

inline Words words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline bool has(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

inline std::string text_of(const Words& words) { return testing::PrintToString(words); }

struct Option {
  explicit Option(const json& said)
      : names(said["names"]),
        value(said["value"]),
        given_default(said["default"]),
        required(said["required"]),
        modes(said["modes"]),
        beside(said["beside"]),
        apart_from(said["apart_from"]) {}

  const std::string& name() const { return names.back(); }
  bool is_argument() const { return !name().starts_with('-'); }
  bool acts_in(const std::string& how) const { return modes.empty() || has(modes, how); }
  // Of every verb and mode alike.
  bool is_of_the_program() const { return name() == "--help" || name() == "--threads"; }

  // A value that the parser takes, other than the default where it is a number.
  std::string some_value() const {
    if (name() == "RECIPE") return "bag";
    if (const auto set = value.find('{'); set != std::string::npos) {
      return value.substr(set + 1, value.find_first_of(",}", set) - set - 1);
    }
    const auto range = value.find("in [");
    if (range != std::string::npos) {
      const std::string least = value.substr(range + 4, value.find(' ', range + 4) - range - 4);
      return least == given_default ? std::to_string(std::stoi(least) + 1) : least;
    }
    // FLOAT, or a range of the library's own: NONNEGATIVE.
    const bool number =
        std::ranges::any_of(Words{"INT", "UINT", "FLOAT", "NONNEGATIVE", "NUMBER"},
                            [&](const std::string& kind) { return value.starts_with(kind); });
    return number ? "3" : "no-such";
  }
  Words given(const std::string& with) const {
    if (is_argument()) return {with};
    return value.empty() ? Words{name()} : Words{name(), with};
  }
  Words given() const { return given(some_value()); }

  Words names;
  std::string value, given_default;
  bool required;
  Words modes, beside, apart_from;
};

struct Mode {
  std::string how;  // "": the only one
  Words words{};
  bool found = false;
};

struct Verb {
  explicit Verb(const json& said) : name(said["verb"]) {
    for (const json& option : said["options"]) options.emplace_back(option);
    for (const json& mode : said["modes"]) {
      modes.push_back({mode["how"], words_of(mode["words"]), mode["found"]});
    }
    if (modes.empty()) modes.push_back({""});
  }
  const Option* option(const std::string& name) const {
    for (const Option& one : options) {
      if (has(one.names, name)) return &one;
    }
    return nullptr;
  }
  // The options that choose the mode, each with a value, and what they need beside them.
  Words chosen(const Mode& mode) const {
    Words words;
    for (std::size_t i = 0; i < mode.words.size(); ++i) {
      const Option* one = option(mode.words[i]);
      if (one == nullptr) continue;  // the value of the one before
      const Option* next = i + 1 < mode.words.size() ? option(mode.words[i + 1]) : one;
      const std::string& said = next == nullptr ? mode.words[i + 1] : one->some_value();
      words = words + one->given(said == "DATABASE" ? "postgresql://nobody/none?table=x" : said);
      words = words + company(*one, mode, words);
    }
    return words;
  }
  // One of those beside which the option acts, where none is there.
  Words company(const Option& of, const Mode& mode, const Words& there) const {
    if (std::ranges::any_of(of.beside, [&](const auto& name) { return has(there, name); })) {
      return {};
    }
    for (const std::string& name : of.beside) {
      if (option(name)->acts_in(mode.how)) return option(name)->given();
    }
    return {};
  }
  // Arguments that must stand before this one, which have their places.
  Words before(const Option& of, const Mode& mode) const {
    Words words;
    for (const Option& one : options) {
      if (&one == &of || !of.is_argument()) break;
      if (one.is_argument() && !one.required && one.acts_in(mode.how)) words = words + one.given();
    }
    return words;
  }
  bool can_be_given(const Option& of, const Mode& mode) const {
    for (const Option& one : options) {
      if (&one == &of || !of.is_argument()) break;
      if (one.is_argument() && !one.acts_in(mode.how)) return false;
    }
    return true;
  }
  bool is_choice(const std::string& name) const {
    return std::ranges::any_of(modes, [&](const Mode& mode) { return has(mode.words, name); });
  }

  std::string name;
  std::vector<Option> options;
  std::vector<Mode> modes;
};

inline std::vector<Verb> verbs() {
  std::vector<Verb> all;
  const auto add = [&](const Words& words) {
    const json said = json::parse(run_hinny(words + Words{"--describe"}).out);
    all.emplace_back(said);
    for (const json& inner : said["subcommands"]) all.emplace_back(inner);
    return said;
  };
  for (const std::string& name : words_of(run_hinny({"--describe"}).out)) {
    const json said = add({name});
    for (const std::string second : said["verbs"]) add({name, second});
  }
  return all;
}

}  // namespace hinny::verb_options
