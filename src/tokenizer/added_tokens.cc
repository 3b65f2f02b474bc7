#include "tokenizer/added_tokens.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "tokenizer/letters.h"
#include "tokenizer/piece_table.h"

namespace hinny {
namespace {

bool is_of_word(UChar32 letter) {
  const int kind = u_charType(letter);
  return u_isUAlphabetic(letter) != 0 || kind == U_DECIMAL_DIGIT_NUMBER ||
         kind == U_CONNECTOR_PUNCTUATION || kind == U_NON_SPACING_MARK ||
         kind == U_COMBINING_SPACING_MARK || kind == U_ENCLOSING_MARK || letter == 0x200C ||
         letter == 0x200D;
}

// Where the last letter before `end` begins.
std::size_t letter_before(std::string_view text, std::size_t end) {
  std::size_t begin = end - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) --begin;
  return begin;
}

bool word_before(std::string_view text, std::size_t end) {
  if (end == 0) return false;
  std::size_t at = letter_before(text, end);
  return is_of_word(next_letter(text, at));
}

bool word_at(std::string_view text, std::size_t begin) {
  return begin < text.size() && is_of_word(next_letter(text, begin));
}

std::size_t without_spaces_before(std::string_view text, std::size_t end, std::size_t least) {
  while (end > least) {
    const std::size_t begin = letter_before(text, end);
    std::size_t at = begin;
    if (begin < least || !is_space(next_letter(text, at))) break;
    end = begin;
  }
  return end;
}

std::size_t behind_spaces(std::string_view text, std::size_t begin) {
  while (begin < text.size()) {
    std::size_t at = begin;
    if (!is_space(next_letter(text, at))) break;
    begin = std::min(at, text.size());
  }
  return begin;
}

}  // namespace

std::vector<TextPart> AddedTokens::split(std::string_view text) const {
  std::vector<TextPart> parts;
  const std::size_t rows = rows_.size() / (2 * sizeof(std::int32_t));
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size() && !tree_.empty();) {
    const PrefixTree::Match match = tree_.longest(text.substr(at));
    const auto row = static_cast<std::size_t>(match.value);
    if (match.bytes == 0 || row >= rows) {
      ++at;
      continue;
    }
    const auto id = number_at<std::int32_t>(rows_, 2 * row);
    const auto flags = number_at<std::int32_t>(rows_, 2 * row + 1);
    std::size_t begin = at;
    std::size_t end = at + match.bytes;
    at = end;
    if ((flags & kWholeWord) != 0 && (word_before(text, begin) || word_at(text, end))) continue;
    if (begin < done) continue;  // in spaces that the last one took
    if ((flags & kTakesLeft) != 0) begin = without_spaces_before(text, begin, done);
    if ((flags & kTakesRight) != 0) end = behind_spaces(text, end);
    if (begin > done) parts.push_back({text.substr(done, begin - done), -1});
    parts.push_back({text.substr(begin, end - begin), id});
    done = end;
  }
  if (done < text.size()) parts.push_back({text.substr(done), -1});
  return parts;
}

}  // namespace hinny
