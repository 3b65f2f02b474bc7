// One thing that is done to text before it is cut into pieces.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hinny {

// Written to a tokenizer's file as it stands: docs/formats/tokenizer.md lists the names and what
// their options are. A flag is "yes" or "no".
struct Step {
  std::string name;
  std::vector<std::string> options;

  bool operator==(const Step&) const = default;
};

// How far steps may go: made-up files could let texts grow without end.
inline constexpr std::size_t kMostSteps = 64;
inline constexpr std::size_t kLongestOption = 4096;   // bytes: an expression
inline constexpr std::size_t kLongestInsertion = 64;  // what is put into a text
inline constexpr std::size_t kLongestNormalText = std::size_t{32} << 20U;  // bytes

inline std::string flag(bool value) { return value ? "yes" : "no"; }

}  // namespace hinny
