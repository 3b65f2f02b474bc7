// What a verb can be asked to do, one mode at a time, and in which modes each of its options acts.
// An option that is given where it does not act is refused, before any work: nobody's file is
// left unwritten in silence. `--help`, `--describe` and tests/options_test.cc follow what is
// declared here.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hinny {

// A handle: copies are of one declaration. Options that none of its functions names act in every
// mode. It lives as long as the verb's `command`, and belongs to one thread.
class Modes {
  struct State;

 public:
  // Some of a verb's modes.
  class Set {
   public:
    constexpr Set() = default;
    constexpr Set operator|(Set other) const { return Set(bits_ | other.bits_); }
    constexpr bool overlaps(Set other) const { return (bits_ & other.bits_) != 0; }

   private:
    friend class Modes;
    explicit constexpr Set(std::uint32_t bits) : bits_(bits) {}
    std::uint32_t bits_ = 0;
  };

  // Refuses, when `command` is parsed, what acts in none of the modes that it may yet come to.
  explicit Modes(CLI::App& command);

  // A mode. Of several that could be chosen, the one that was declared first is.
  //
  // Chosen by options that are given, "--pictures --watch", or by an option's value, "--clc
  // learned"; a value in capitals is any one ("--in DATABASE"), of which `also` may ask more.
  Set with(const std::string& words, std::function<bool()> also = {});
  // Where no other is chosen; `how` ends a sentence: "in a table of recall".
  Set otherwise(const std::string& how);
  // Not on the command line but in a file: the verb comes to it by settle(). "of a translator".
  Set found(const std::string& how);

  // Where an option acts: in these modes alone; where one of these is given as well; where none of
  // these is.
  class Acts {
   public:
    Acts& in(Set modes);
    Acts& beside(std::vector<std::string> others);
    Acts& apart_from(std::vector<std::string> others);

   private:
    friend class Modes;
    Acts(State& state, const CLI::Option* option) : state_(state), option_(option) {}
    State& state_;
    const CLI::Option* option_;
  };
  Acts acts(const CLI::Option* option) const { return {*state_, option}; }

  // Which mode the command line chose; empty before that, and where it chose none.
  Set chosen() const;
  bool chose(Set some) const { return chosen().overlaps(some); }
  // What the verb comes to after a look at its files: chosen(), or a mode that it found. Throws
  // InputError for an option that does not act there.
  void settle(Set mode) const;

 private:
  friend struct ModesText;
  std::shared_ptr<State> state_;
};

// What the command line of `command` says of itself, for describe() and tests.
struct ModesText {
  struct Mode {
    std::string how;    // "with --pictures", "of a translator"
    std::string words;  // that choose it: "--pictures"; empty: none do
    bool found = false;
  };
  struct Option {
    std::vector<std::string> modes;               // hows; empty: all
    std::vector<std::string> beside, apart_from;  // names
  };
  static std::vector<Mode> modes(const CLI::App& command);
  static Option option(const CLI::App& command, const CLI::Option& option);

  // Adds to the help of each option where it acts.
  static void explain(CLI::App& command);
};

}  // namespace hinny
