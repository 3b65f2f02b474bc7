#include "text/stems.h"

#include <string_view>

#include "text/characters.h"

namespace hinny {
namespace {

constexpr std::size_t kShortestStem = 3;  // characters that an ending must leave

// Case endings of nouns and adjectives, the longest first.
constexpr std::string_view kCzechEndings[] = {
    "atech", "ětem", "atům", "ech", "ich", "ích", "ého", "ěmi", "emi", "ému", "ete", "eti", "iho",
    "ího",   "ími",  "imu",  "ách", "ata", "aty", "ých", "ama", "ami", "ové", "ovi", "ými", "em",
    "es",    "ém",   "ím",   "ům",  "at",  "ám",  "os",  "us",  "ým",  "mi",  "ou",  "e",   "i",
    "í",     "ě",    "u",    "y",   "ů",   "a",   "o",   "á",   "é",   "ý"};

std::string without_czech_ending(const std::string& word) {
  const std::size_t characters = count_characters(word);
  for (const std::string_view ending : kCzechEndings) {
    if (word.ends_with(ending) && characters >= count_characters(ending) + kShortestStem) {
      return word.substr(0, word.size() - ending.size());
    }
  }
  return word;
}

}  // namespace

Stems::Stems(const std::string& language) : snowball_(language), czech_(snowball_.code() == "cs") {}

std::vector<std::string> Stems::of(const std::string& word) const {
  if (czech_) return {without_czech_ending(word)};
  if (snowball_.knows_language()) return {snowball_.stem(word)};
  std::vector<std::string> parts = {word};
  for_each_character(word, [&](std::size_t begin, std::size_t end) {
    const std::string character = word.substr(begin, end - begin);
    if (character.size() < word.size() && says_much(character)) parts.push_back(character);
  });
  return parts;
}

}  // namespace hinny
