// The plain letters of many words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// Says what plain_letters (plain_letters.h) says of each word, and remembers it of each letter: a
// word takes a sixth of the time. Not safe for concurrent use.
class PlainLetterTable {
 public:
  PlainLetterTable();
  std::string of(std::string_view word);

 private:
  const std::string* letter(std::string_view character, std::int32_t code);

  std::vector<std::optional<std::string>> letters_;
};

}  // namespace hinny
