#include "text/plain_words.h"

#include <algorithm>

#include "text/name_forms.h"

namespace hinny {
namespace {

bool is_plain_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Length of a mark between words that is no ASCII, or 0.
std::size_t foreign_mark(std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) return 0;
  for (const std::string_view mark : {"\u2019", "\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb",
                                      "\u060c", "\uff0c", "\u3002", "\u3001", "\u00a0"}) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

}  // namespace

std::vector<PlainWord> plain_words(std::string_view text) {
  std::vector<PlainWord> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    const auto is_letter = [&] {
      if (end >= text.size() || foreign_mark(text.substr(end)) > 0) return false;
      if (text[end] == '\'') return text.substr(at, end - at) == "aujourd";
      return is_plain_letter(text[end]);
    };
    while (is_letter()) ++end;
    if (end > at) {
      words.push_back({at, end, composed(folded_case(text.substr(at, end - at)))});
      at = end;
    } else {
      at += std::max<std::size_t>(1, foreign_mark(text.substr(at)));
    }
  }
  return words;
}

std::string plain_text(std::string_view text) {
  std::string plain;
  for (const PlainWord& word : plain_words(text)) {
    if (!plain.empty()) plain += ' ';
    plain += word.word;
  }
  return plain;
}

}  // namespace hinny
