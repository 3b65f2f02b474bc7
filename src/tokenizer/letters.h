// Letters of UTF-8 text, and the kinds of them that tokenizers tell apart.
#pragma once

#include <unicode/umachine.h>

#include <string>
#include <string_view>

namespace hinny {

// The letter at `at` of well-formed UTF-8; `at` moves behind it.
UChar32 next_letter(std::string_view text, std::size_t& at);
// Bytes of the letter that begins with this byte.
std::size_t letter_bytes(char first);
void append_letter(UChar32 letter, std::string& text);

// The property White_Space.
bool is_space(UChar32 letter);
// What BERT takes for punctuation: that of Unicode, and all signs of ASCII.
bool is_sign(UChar32 letter);
// One of the signs of ASCII ("!", "$", "~"): Python's string.punctuation.
bool is_ascii_sign(UChar32 letter);
// Controls, formats and private letters, but for tab and line ends: what BERT drops.
bool is_dropped_control(UChar32 letter);
// What BERT sets spaces around.
bool is_chinese(UChar32 letter);

// Lower case letter by letter, as Rust's tokenizers do: a sigma at a word's end is as any other.
std::string lower_case(std::string_view text);
std::string without_spaces_around(std::string_view text, bool left, bool right);

}  // namespace hinny
