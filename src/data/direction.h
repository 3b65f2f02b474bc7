// From which language into which.
#pragma once

#include <string>
#include <vector>

namespace hinny {

struct Direction {
  std::string from, to;
  std::string name() const { return from + "-" + to; }
  bool operator==(const Direction&) const = default;
};

// "en-de" of these languages, by any of their codes; InputError when it is none. `names` empty:
// every pair, both ways.
std::vector<Direction> directions_of(const std::vector<std::string>& names,
                                     const std::vector<std::string>& languages);
// The one from `from` to `to`, by any codes of the two; InputError when a model has none.
const Direction& find_direction(const std::vector<Direction>& directions, const std::string& from,
                                const std::string& to);
std::vector<std::string> names_of(const std::vector<Direction>& directions);
// The languages of the directions, each once, in order of their codes.
std::vector<std::string> languages_of(const std::vector<Direction>& directions);

}  // namespace hinny
