#include "data/direction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "text/language_code.h"

namespace hinny {

namespace {

// "deu_Latn-eng_Latn", wherever its middle is.
std::optional<Direction> spelled_otherwise(const std::string& name,
                                           const std::vector<std::string>& languages) {
  for (std::size_t at = name.find('-'); at != std::string::npos; at = name.find('-', at + 1)) {
    const auto from = find_language(languages, name.substr(0, at));
    const auto to = find_language(languages, name.substr(at + 1));
    if (from && to && *from != *to) return Direction{*from, *to};
  }
  return {};
}

}  // namespace

std::vector<Direction> directions_of(const std::vector<std::string>& names,
                                     const std::vector<std::string>& languages) {
  std::vector<Direction> all;
  std::vector<std::string> known;
  for (const std::string& from : languages) {
    for (const std::string& to : languages) {
      if (from == to) continue;
      all.push_back({from, to});
      known.push_back(all.back().name());
    }
  }
  if (names.empty()) {
    if (all.empty()) throw InputError("translation of one language", "two languages or more");
    return all;
  }
  std::vector<Direction> directions;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      if (const auto direction = spelled_otherwise(name, languages)) {
        directions.push_back(*direction);
        continue;
      }
      throw InputError(fmt::format("no direction '{}'{}", name, did_you_mean(name, known)),
                       fmt::format("some of {}", fmt::join(known, ", ")));
    }
    directions.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return directions;
}

const Direction& find_direction(const std::vector<Direction>& directions, const std::string& from,
                                const std::string& to) {
  const std::vector<std::string> languages = languages_of(directions);
  const Direction wanted{find_language(languages, from).value_or(from),
                         find_language(languages, to).value_or(to)};
  const auto found = std::ranges::find(directions, wanted);
  if (found != directions.end()) return *found;
  throw InputError(fmt::format("no translation from '{}' to '{}' in this model", from, to),
                   fmt::format("{}", fmt::join(names_of(directions), ", ")));
}

std::vector<std::string> names_of(const std::vector<Direction>& directions) {
  std::vector<std::string> names;
  names.reserve(directions.size());
  for (const Direction& direction : directions) names.push_back(direction.name());
  return names;
}

std::vector<std::string> languages_of(const std::vector<Direction>& directions) {
  std::set<std::string> languages;
  for (const Direction& direction : directions) {
    languages.insert(direction.from);
    languages.insert(direction.to);
  }
  return {languages.begin(), languages.end()};
}

}  // namespace hinny
