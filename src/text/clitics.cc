#include "text/clitics.h"

#include <algorithm>

namespace hinny {

Clitics::Clitics(std::string_view language) {
  if (language == "fr") {
    // Not every apostrophe: aujourd'hui, quelqu'un and presqu'île are words.
    leading_ = {"l", "d",  "j",     "m",      "t",      "s",     "n",
                "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"};
  } else if (language == "ca") {
    leading_ = {"l", "d", "m", "t", "s", "n"};
  } else if (language == "it") {
    any_leading_ = true;
  } else if (language == "en") {
    english_ = true;
  }
}

std::size_t Clitics::first_part(std::string_view word) const {
  const std::size_t mark = word.find('\'');
  if (mark == std::string_view::npos || mark == 0) return word.size();
  if (english_) {
    const bool possessive = word.size() > 2 && word.ends_with("'s");
    return possessive ? word.size() - 2 : word.size();
  }
  return any_leading_ || leads(word.substr(0, mark)) ? mark + 1 : word.size();
}

bool Clitics::leads(std::string_view word) const { return std::ranges::count(leading_, word) > 0; }

}  // namespace hinny
