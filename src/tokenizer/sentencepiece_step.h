// SentencePiece's normalisation.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/character_map.h"
#include "tokenizer/prefix_tree.h"

namespace hinny {

inline constexpr std::string_view kWordMark = "\xE2\x96\x81";  // U+2581, for a space

struct SentencePieceStep {
  CharacterMap characters;
  PrefixTree user_defined;
  bool adds_space = true;    // before the text, or behind it where the mark is a suffix
  bool joins_spaces = true;  // and drops those around the text
  bool marks_spaces = true;
  bool mark_is_suffix = false;

  std::string operator()(std::string_view text) const;

 private:
  CharacterMap::Found start_of(std::string_view text) const;
};

}  // namespace hinny
