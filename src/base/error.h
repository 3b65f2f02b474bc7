// What can go wrong, in two kinds: the user's input is wrong, or the machine failed.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hinny {

// A command line or an input file is wrong. The program prints what() as one line
// `error: <file>:<line>: <what> (expected <what>)` and exits with 2.
class InputError : public std::runtime_error {
 public:
  // `expected` may be empty: then nothing stands in parentheses.
  explicit InputError(std::string_view what, std::string_view expected = {});
  // About a whole file.
  InputError(const std::filesystem::path& file, std::string_view what, std::string_view expected);
  // About one line of it, counted from 1.
  InputError(const std::filesystem::path& file, std::size_t line, std::string_view what,
             std::string_view expected);
};

// The machine failed: disk full, no permission, out of memory. Exit code 1.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  // Adds the text of errno: "cannot write x.npy: No space left on device".
  static Failure from_errno(std::string_view what);
};

// The user pressed Ctrl-C, and everything worth keeping has been saved. Exit code 130.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// " (did you mean 'margin'?)" for the nearest of `known`, or "" when none is near.
template <typename Names>
std::string did_you_mean(std::string_view given, const Names& known);

// Levenshtein distance in bytes.
std::size_t edit_distance(std::string_view a, std::string_view b);

template <typename Names>
std::string did_you_mean(std::string_view given, const Names& known) {
  std::string_view best;
  std::size_t nearest = given.size() / 2 + 1;
  for (const auto& name : known) {
    const std::size_t distance = edit_distance(given, name);
    if (distance < nearest) {
      nearest = distance;
      best = name;
    }
  }
  return best.empty() ? std::string() : " (did you mean '" + std::string(best) + "'?)";
}

}  // namespace hinny
