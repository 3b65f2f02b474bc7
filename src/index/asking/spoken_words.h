// Words by which people say when and with what a picture was taken, in the languages that have been
// written down; a language is one more entry.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace hinny {

// Forms of a word stand side by side, parted by blanks, in lower case and composed letters.
struct SpokenWords {
  std::string_view language;
  std::array<std::string_view, 12> months;
  std::array<std::string_view, 4> seasons;  // spring, summer, autumn, winter
  std::string_view week, month, year;
  std::string_view last, current;     // last summer, this summer; before or after the noun
  std::string_view today, yesterday;  // one word each
  std::string_view last_year;         // the same, where one word says it
  std::string_view during;            // in, from: before a time
  std::string_view taken;             // photographed
  std::string_view with;              // before a camera
  std::string_view articles;          // what may stand between these
  std::string_view folder;
  std::string_view at;  // before a town
};

std::span<const SpokenWords> spoken_words();

}  // namespace hinny
