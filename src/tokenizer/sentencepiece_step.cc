#include "tokenizer/sentencepiece_step.h"

#include <algorithm>

#include "tokenizer/letters.h"

namespace hinny {

CharacterMap::Found SentencePieceStep::start_of(std::string_view text) const {
  const std::size_t given = user_defined.longest(text).bytes;
  if (given > 0) return {text.substr(0, given), given};
  const CharacterMap::Found mapped = characters.longest(text);
  if (mapped.bytes > 0) return mapped;
  const std::size_t letter = std::min(letter_bytes(text.front()), text.size());
  return {text.substr(0, letter), letter};
}

std::string SentencePieceStep::operator()(std::string_view text) const {
  if (joins_spaces) {
    while (!text.empty()) {
      const auto start = start_of(text);
      if (start.replacement != " ") break;
      text.remove_prefix(start.bytes);
    }
  }
  std::string result;
  if (text.empty()) return result;
  const std::string_view space = marks_spaces ? kWordMark : " ";
  if (adds_space && !mark_is_suffix) result += space;
  bool after_space = joins_spaces;
  while (!text.empty()) {
    const auto start = start_of(text);
    std::string_view letters = start.replacement;
    while (after_space && letters.starts_with(' ')) letters.remove_prefix(1);
    for (const char letter : letters) {
      if (letter == ' ') {
        result += space;
      } else {
        result += letter;
      }
    }
    if (!letters.empty()) after_space = letters.ends_with(' ');
    if (!joins_spaces) after_space = false;
    text.remove_prefix(start.bytes);
  }
  while (joins_spaces && result.ends_with(space)) result.erase(result.size() - space.size());
  if (adds_space && mark_is_suffix) result += space;
  return result;
}

}  // namespace hinny
