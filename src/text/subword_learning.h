// Byte pair encoding's merges, learned from counted words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/vocabulary.h"

namespace hinny {

// Follows the last character of a word.
inline constexpr std::string_view kWordEnd = "</w>";

// Two neighbours that become one. A word whose text holds "</w>" may show it anywhere.
struct SubwordMerge {
  std::string left, right;
  bool operator==(const SubwordMerge&) const = default;
};

// Ids of symbols, from 0: equal text, one symbol, wherever it came from.
class SymbolTable {
 public:
  std::int32_t add(std::string_view text);  // or finds it
  // -1 when it is not there.
  std::int32_t find(std::string_view text) const;

 private:
  std::unordered_map<std::string, std::int32_t, StringHash, std::equal_to<>> ids_;
};

// Two ids as one key.
inline std::uint64_t symbol_pair(std::int32_t left, std::int32_t right) {
  return std::uint64_t{static_cast<std::uint32_t>(left)} << 32U | static_cast<std::uint32_t>(right);
}

// At most `merges` different pairs, none seen less than min_count times; the most frequent first,
// of equal ones the one whose strings are greatest, as subword-nmt has it. Equal counts, equal
// merges, whatever the map's order. InputError for a word that is not UTF-8 or holds white space.
std::vector<SubwordMerge> learn_merges(const WordCounts& counts, std::int64_t merges,
                                       std::int64_t min_count);

}  // namespace hinny
