#include "cli/modes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <sstream>

#include "base/error.h"

namespace hinny {
namespace {

using Names = std::vector<std::string>;

Names words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

bool holds(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_any_value(const std::string& word) {
  return std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string name_of(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : option.get_name();
}

struct Mode {
  std::string how;
  Names words{};  // that choose it
  std::function<bool()> also{};
  bool found = false;
};

struct Rule {
  std::uint32_t modes = ~std::uint32_t{0};
  Names beside{}, apart_from{};
};

}  // namespace

struct Modes::State {
  const CLI::App* command;
  std::vector<Mode> modes{};
  std::map<const CLI::Option*, Rule> rules{};
  std::uint32_t chosen = 0;

  // Of each verb's command.
  static std::map<const CLI::App*, std::shared_ptr<State>>& all() {
    static std::map<const CLI::App*, std::shared_ptr<State>> states;
    return states;
  }
  static const State* of(const CLI::App& command) {
    const auto found = all().find(&command);
    return found == all().end() ? nullptr : found->second.get();
  }

  std::uint32_t add(Mode mode) {
    modes.push_back(std::move(mode));
    return std::uint32_t{1} << (modes.size() - 1);
  }
  std::uint32_t every() const { return (std::uint32_t{1} << modes.size()) - 1; }

  bool is_given(const std::string& name) const {
    const CLI::Option* option = command->get_option_no_throw(name);
    return option != nullptr && option->count() > 0;
  }
  bool is_chosen(const Mode& mode) const {
    const CLI::Option* before = nullptr;
    for (const std::string& word : mode.words) {
      if (const CLI::Option* option = command->get_option_no_throw(word)) {
        if (option->count() == 0) return false;
        before = option;
      } else if (before == nullptr || (!is_any_value(word) && !holds(before->results(), word))) {
        return false;
      }
    }
    return !mode.also || mode.also();
  }

  std::uint32_t choose() const {
    std::uint32_t otherwise = 0;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (modes[i].found) continue;
      const std::uint32_t bit = std::uint32_t{1} << i;
      if (modes[i].words.empty()) {
        otherwise = bit;
      } else if (is_chosen(modes[i])) {
        return bit;
      }
    }
    return otherwise;
  }

  Rule rule_of(const CLI::Option* option) const {
    const auto found = rules.find(option);
    return found == rules.end() ? Rule{} : found->second;
  }

  // Whether the option alone chooses a mode in which it acts.
  bool chooses(const std::string& name, std::uint32_t in) const {
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if ((in >> i & 1U) == 0 || !holds(modes[i].words, name)) continue;
      const bool others = std::ranges::any_of(modes[i].words, [&](const std::string& word) {
        return word != name && command->get_option_no_throw(word) != nullptr;
      });
      if (!others) return true;
    }
    return false;
  }

  // "with --clc learned" of these modes, without the option itself: "with --pictures" of --watch.
  Names hows(const std::string& name, std::uint32_t in) const {
    Names all;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if ((in >> i & 1U) == 0) continue;
      if (!holds(modes[i].words, name)) {
        all.push_back(modes[i].how);
        continue;
      }
      Names others;
      for (const std::string& word : modes[i].words) {
        if (command->get_option_no_throw(word) != nullptr && word != name) others.push_back(word);
      }
      if (!others.empty()) all.push_back(fmt::format("with {}", fmt::join(others, " ")));
    }
    // "with --pictures --watch" is said by "with --pictures".
    Names told;
    std::ranges::copy_if(all, std::back_inserter(told), [&](const std::string& how) {
      return std::ranges::none_of(
          all, [&](const std::string& other) { return how.starts_with(other + " "); });
    });
    return told;
  }

  // An option that has no effect in any of the modes `in`, of which the first is named.
  void check(std::uint32_t in) const {
    if (in == 0) return;  // the verb says what it lacks
    const auto place = static_cast<std::size_t>(std::countr_zero(in & chosen ? in & chosen : in));
    for (const CLI::Option* option : command->get_options()) {
      const auto found = rules.find(option);
      if (found == rules.end() || option->count() == 0) continue;
      const std::string name = name_of(*option);
      const Rule& rule = found->second;
      if ((rule.modes & in) == 0) refuse_in(modes[place], name, rule);
      if (!rule.beside.empty() &&
          std::ranges::none_of(rule.beside, [&](const auto& other) { return is_given(other); })) {
        const std::string others = fmt::format("{}", fmt::join(rule.beside, " or "));
        throw InputError(fmt::format("{} has no effect without {}", name, others),
                         fmt::format("no {}, or it with {}", name, others));
      }
      for (const std::string& other : rule.apart_from) {
        if (is_given(other)) refuse_one_of_two(name, "with " + other);
      }
    }
  }

  [[noreturn]] static void refuse_one_of_two(const std::string& name, const std::string& how) {
    throw InputError(fmt::format("{} has no effect {}", name, how), "one of the two");
  }
  [[noreturn]] void refuse_in(const Mode& mode, const std::string& name, const Rule& rule) const {
    if (!mode.words.empty() && chooses(name, rule.modes)) refuse_one_of_two(name, mode.how);
    const Names ways = hows(name, rule.modes & every());
    constexpr std::size_t kMostNamed = 3;
    throw InputError(fmt::format("{} has no effect {}", name, mode.how),
                     ways.empty() || ways.size() > kMostNamed
                         ? fmt::format("no {}", name)
                         : fmt::format("no {}, or it {}", name, fmt::join(ways, ", or ")));
  }

  // Where the option acts, for its help; empty: wherever the verb does.
  std::string place_of(const CLI::Option* option) const {
    const Rule rule = rule_of(option);
    const std::string name = name_of(*option);
    const std::uint32_t in = rule.modes & every(), out = every() & ~in;
    Names parts;
    const auto add = [&](const char* before, const Names& names, const char* between) {
      if (!names.empty()) parts.push_back(before + fmt::format("{}", fmt::join(names, between)));
    };
    if (out != 0 && std::popcount(out) < std::popcount(in)) {
      add("not ", hows(name, out), ", not ");
    } else if (out != 0 && chooses(name, in)) {
      add("also ", hows(name, in), ", ");
    } else if (out != 0) {
      add("only ", hows(name, in), ", or ");
    }
    add("beside ", rule.beside, " or ");
    add("not with ", rule.apart_from, ", ");
    return fmt::format("{}", fmt::join(parts, "; "));
  }
};

Modes::Modes(CLI::App& command) : state_(std::make_shared<State>(State{&command})) {
  State::all()[&command] = state_;
  command.parse_complete_callback([state = state_] {
    state->chosen = state->choose();
    std::uint32_t possible = state->chosen;
    for (std::size_t i = 0; i < state->modes.size(); ++i) {
      if (state->modes[i].found) possible |= std::uint32_t{1} << i;
    }
    // Without modes every option may still ask for others beside it.
    state->check(state->modes.empty() ? ~std::uint32_t{0} : possible);
  });
}

Modes::Set Modes::with(const std::string& words, std::function<bool()> also) {
  return Set(state_->add({"with " + words, words_of(words), std::move(also)}));
}

Modes::Set Modes::otherwise(const std::string& how) { return Set(state_->add({how})); }

Modes::Set Modes::found(const std::string& how) {
  return Set(state_->add({.how = how, .found = true}));
}

Modes::Acts& Modes::Acts::in(Set modes) {
  state_.rules[option_].modes = modes.bits_;
  return *this;
}

Modes::Acts& Modes::Acts::beside(std::vector<std::string> others) {
  state_.rules[option_].beside = std::move(others);
  return *this;
}

Modes::Acts& Modes::Acts::apart_from(std::vector<std::string> others) {
  state_.rules[option_].apart_from = std::move(others);
  return *this;
}

Modes::Set Modes::chosen() const { return Set(state_->chosen); }

void Modes::settle(Set mode) const {
  state_->chosen = mode.bits_;
  state_->check(mode.bits_);
}

std::vector<ModesText::Mode> ModesText::modes(const CLI::App& command) {
  std::vector<Mode> all;
  if (const Modes::State* state = Modes::State::of(command)) {
    for (const auto& mode : state->modes) {
      all.push_back({mode.how, fmt::format("{}", fmt::join(mode.words, " ")), mode.found});
    }
  }
  return all;
}

ModesText::Option ModesText::option(const CLI::App& command, const CLI::Option& option) {
  const Modes::State* state = Modes::State::of(command);
  if (state == nullptr) return {};
  const Rule rule = state->rule_of(&option);
  Option text{{}, rule.beside, rule.apart_from};
  for (std::size_t i = 0; i < state->modes.size() && (state->every() & ~rule.modes) != 0; ++i) {
    if ((rule.modes >> i & 1U) != 0) text.modes.push_back(state->modes[i].how);
  }
  return text;
}

void ModesText::explain(CLI::App& command) {
  for (CLI::App* inner : command.get_subcommands({})) explain(*inner);
  const Modes::State* state = Modes::State::of(command);
  if (state == nullptr) return;
  for (CLI::Option* option : command.get_options()) {
    const std::string place = state->place_of(option);
    if (place.empty()) continue;
    option->description(fmt::format("{} ({})", option->get_description(), place));
  }
}

}  // namespace hinny
