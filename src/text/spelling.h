// Words as their characters, for models that know words by their spelling (LIWE).
#pragma once

#include <span>

#include "text/vocabulary.h"

namespace hinny {

// The name, among a model's vocabularies, of the one that holds characters.
inline constexpr const char* kCharacters = "characters";

// Every character (code point) of the words, with the sum of its words' counts.
Vocabulary character_vocabulary(const Vocabulary& words);

// Fills `ids` with the word's first characters, kUnknown for those that `characters` lacks, and
// kPad after its end. Returns how many of them are known. `word` is well-formed UTF-8.
std::size_t spell(std::string_view word, const Vocabulary& characters, std::span<std::int32_t> ids);

}  // namespace hinny
