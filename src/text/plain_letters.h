// Words whose letters are typed plainly: without their accents, or with these written out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/vocabulary.h"

namespace hinny {

// A word without the marks of its letters: "vélo" is "velo", "über" "uber". Letters that are no
// letter and a mark become what is typed for them: "ß" is "ss", "ø" "o", "đ" "d", "æ" "ae", "ı"
// "i". Marks of Latin, Greek, Cyrillic and Arabic letters go (in Arabic forms of alef, ya and ta
// marbuta become one), and dots below letters of India; elsewhere marks are vowels and stay, as
// does all of Han and Hangul.
std::string plain_letters(std::string_view word);

// What a language writes for letters that a keyboard lacks, with the plain letter: {"ae", "a"} in
// German, {"aa", "a"} in Danish, {"dj", "d"} in Croatian.
using WrittenOut = std::vector<std::pair<std::string_view, std::string_view>>;
WrittenOut written_out(const std::string& language);
// `plain`, with each of those put back, from left to right: "madchen" of "maedchen".
std::string put_back(std::string_view plain, const WrittenOut& letters);

// Letters that the language writes, by what they are without marks: of French {"e", {"é", "è",
// ...}}. Of the alphabet as CLDR has it, in its order.
std::unordered_map<std::string, std::vector<std::string>> marked_letters(
    const std::string& language);

// A vocabulary's words by their plain letters, and by those after put_back. Immutable; safe to
// share between threads. Does not keep the vocabulary.
class PlainWords {
 public:
  PlainWords(const Vocabulary& vocabulary, const std::string& language);

  // The word that is `word` but for marks; else but for marks and letters written out. The one
  // that is seen most often of several; kUnknown of none. `vocabulary` is that of the constructor.
  std::int32_t id(const Vocabulary& vocabulary, std::string_view word) const;
  // The first of these alone.
  std::int32_t without_marks(const Vocabulary& vocabulary, std::string_view word) const;

 private:
  using Ids = std::unordered_map<std::string, std::int32_t, StringHash, std::equal_to<>>;
  static std::int32_t find(const Ids& ids, const Vocabulary& vocabulary, std::string_view key);

  WrittenOut letters_;
  Ids plain_, put_back_;  // without words that are their own key
};

}  // namespace hinny
