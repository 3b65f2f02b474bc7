// One thing that is done to text before it is cut into pieces.
#pragma once

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

inline std::string flag(bool value) { return value ? "yes" : "no"; }

}  // namespace hinny
