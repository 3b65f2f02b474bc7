// Words of a sentence or a name, as they are compared where neither case nor marks matter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

struct PlainWord {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string word;                // in one case, composed (name_forms.h)
};

// Runs of letters and digits of any script; what is no ASCII counts as a letter, but for usual
// marks between words.
std::vector<PlainWord> plain_words(std::string_view text);

// The same, parted by single blanks.
std::string plain_text(std::string_view text);

}  // namespace hinny
