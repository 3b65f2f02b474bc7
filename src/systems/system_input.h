// What a system has to know of the data before it can be built.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hinny {

struct SystemInput {
  std::vector<std::string> languages;
  std::vector<std::int64_t> vocabulary_sizes;  // one per language (equal when shared)
  std::int64_t feature_dim = 0;
  std::int64_t regions = 1;  // of a picture; feature_dim is that of all of them
  // Dictionary mapping, by language: for the last words of its vocabulary the lender's words.
  std::map<std::string, std::vector<std::int32_t>> borrowed{};
  // text.characters: how many there are, and those of each word, [words, most_characters].
  std::int64_t characters = 0;
  std::vector<std::int32_t> spelling{};
};

}  // namespace hinny
