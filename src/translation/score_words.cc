#include "translation/score_words.h"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "text/characters.h"
#include "text/language_code.h"
#include "text/utf16.h"

namespace hinny {
namespace {

constexpr std::array<std::pair<std::string_view, ScoreTokeniser>, 5> kTokenisers = {
    {{"13a", ScoreTokeniser::mteval_13a},
     {"intl", ScoreTokeniser::intl},
     {"zh", ScoreTokeniser::zh},
     {"char", ScoreTokeniser::character},
     {"none", ScoreTokeniser::none}}};

// Others of sacreBLEU.
constexpr std::array kNeedMore = std::to_array<std::string_view>(
    {"ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"});

// None of them is beyond U+FFFF.
bool is_space(UChar32 letter) {
  return u_isUWhiteSpace(letter) != 0 || (letter >= 0x1C && letter <= 0x1F);
}

// The rules name ASCII characters alone, or any character but a digit: bytes will do.
bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_no_digit(char byte) { return !is_digit(byte); }
bool is_point(char byte) { return byte == '.' || byte == ','; }
bool is_dash(char byte) { return byte == '-'; }
bool stands_alone(char byte) {  // [\{-\~\[-\` -\&\(-\+\:-\@\/]: not ' , - . nor letters and digits
  return (byte >= ' ' && byte <= '&') || (byte >= '(' && byte <= '+') || byte == '/' ||
         (byte >= ':' && byte <= '@') || (byte >= '[' && byte <= '`') ||
         (byte >= '{' && byte <= '~');
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Sets one of two neighbours apart, from left to right and without overlap, as re.sub does:
// the second one, or the first.
enum class Apart { first, second };
std::string set_apart(std::string_view text, bool (*is_first)(char), bool (*is_second)(char),
                      Apart apart) {
  std::string result;
  result.reserve(text.size() + 16);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !is_first(text[i]) || !is_second(text[i + 1])) {
      result += text[i];
      continue;
    }
    if (apart == Apart::first) result += ' ';
    result += text[i];
    result += ' ';
    result += text[++i];
    if (apart == Apart::second) result += ' ';
  }
  return result;
}

// The rules that 13a and zh share.
std::string with_mteval_spaces(std::string_view text) {
  std::string spaced;
  for (const char byte : text) {
    if (stands_alone(byte)) {
      spaced += {' ', byte, ' '};
    } else {
      spaced += byte;
    }
  }
  spaced = set_apart(spaced, is_no_digit, is_point, Apart::second);
  spaced = set_apart(spaced, is_point, is_no_digit, Apart::first);
  return set_apart(spaced, is_digit, is_dash, Apart::second);
}

std::string with_13a_spaces(std::string_view given) {
  std::string text(given);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  return with_mteval_spaces(" " + text + " ");
}

struct Range {
  UChar32 first, last;
};

// What sacreBLEU takes for Chinese. U+2001 to U+2A6D is there as it reads its own table (of
// U+20000 to U+2A6D6): quotation marks, dashes and arrows stand alone.
constexpr std::array kChinese = std::to_array<Range>({{0x2001, 0x2A6D},
                                                      {0x2E80, 0x2FDF},
                                                      {0x2FF0, 0x303F},
                                                      {0x3100, 0x312F},
                                                      {0x31A0, 0x31BF},
                                                      {0x31C0, 0x31EF},
                                                      {0x3200, 0x33FF},
                                                      {0x3400, 0x4DB5},
                                                      {0x4E00, 0x9FBB},
                                                      {0xF900, 0xFA2D},
                                                      {0xFA30, 0xFA6A},
                                                      {0xFA70, 0xFAD9},
                                                      {0xFE10, 0xFE1F},
                                                      {0xFE30, 0xFE4F},
                                                      {0xFF00, 0xFFEF}});

bool is_chinese(UChar32 letter) {
  return std::ranges::any_of(
      kChinese, [&](const Range& range) { return range.first <= letter && letter <= range.last; });
}

icu::UnicodeString trimmed(const icu::UnicodeString& text) {
  int32_t begin = 0, end = text.length();
  while (begin < end && is_space(text[begin])) ++begin;
  while (end > begin && is_space(text[end - 1])) --end;
  return {text, begin, end - begin};
}

std::string with_zh_spaces(std::string_view given) {
  const icu::UnicodeString text = trimmed(to_utf16(given));
  icu::UnicodeString spaced;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 letter = text.char32At(i);
    if (is_chinese(letter)) {
      spaced.append(u' ').append(letter).append(u' ');
    } else {
      spaced.append(letter);
    }
  }
  return with_mteval_spaces(to_utf8(spaced));
}

bool is_number(UChar32 letter) { return (U_GET_GC_MASK(letter) & U_GC_N_MASK) != 0; }
bool is_mark(UChar32 letter) { return (U_GET_GC_MASK(letter) & U_GC_P_MASK) != 0; }
bool is_symbol(UChar32 letter) { return (U_GET_GC_MASK(letter) & U_GC_S_MASK) != 0; }

std::string with_intl_spaces(std::string_view given) {
  const icu::UnicodeString text = trimmed(to_utf16(given));
  std::vector<UChar32> letters;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    letters.push_back(text.char32At(i));
  }
  const auto is_no_number = [](UChar32 letter) { return !is_number(letter); };
  // From left to right and without overlap, as in set_apart.
  const auto apart = [&](const auto& is_first, const auto& is_second, bool first_too) {
    std::vector<UChar32> spaced;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (i + 1 == letters.size() || !is_first(letters[i]) || !is_second(letters[i + 1])) {
        spaced.push_back(letters[i]);
        continue;
      }
      if (first_too) spaced.push_back(' ');
      spaced.insert(spaced.end(), {letters[i], ' ', letters[i + 1]});
      if (!first_too) spaced.push_back(' ');
      ++i;
    }
    letters = std::move(spaced);
  };
  apart(is_no_number, is_mark, false);
  apart(is_mark, is_no_number, true);
  icu::UnicodeString result;
  for (const UChar32 letter : letters) {
    if (is_symbol(letter)) {
      result.append(u' ').append(letter).append(u' ');
    } else {
      result.append(letter);
    }
  }
  return to_utf8(result);
}

// Calls use(word) for each run of characters without white space.
template <typename Use>
void for_each_word(std::string_view utf8, const Use& use) {
  const icu::UnicodeString text = to_utf16(utf8);
  int32_t begin = 0;
  for (int32_t i = 0; i <= text.length(); ++i) {
    if (i < text.length() && !is_space(text[i])) continue;
    std::string word;
    if (i > begin) use(text.tempSubStringBetween(begin, i).toUTF8String(word));
    begin = i + 1;
  }
}

}  // namespace

void check_parallel(const Lines& hypotheses, const std::vector<Lines>& references) {
  if (hypotheses.empty()) throw InputError("no hypotheses to score", "a line or more");
  if (references.empty()) throw InputError("no reference to score by", "one or more");
  for (const Lines& reference : references) {
    if (reference.size() == hypotheses.size()) continue;
    throw InputError(fmt::format("a reference of {} lines", reference.size()),
                     fmt::format("{}, as many as hypotheses", hypotheses.size()));
  }
}

ScoreTokeniser score_tokeniser(std::string_view name) {
  for (const auto& [known, tokeniser] : kTokenisers) {
    if (known == name) return tokeniser;
  }
  if (std::ranges::find(kNeedMore, name) != kNeedMore.end()) {
    throw InputError(
        fmt::format("tokeniser '{}', which needs a dictionary or a model that Hinny has not", name),
        "13a, intl, zh, char or none (char for Japanese, 13a for Korean)");
  }
  throw InputError(fmt::format("tokeniser '{}'", name), "13a, intl, zh, char or none");
}

ScoreTokeniser tokeniser_for(const std::string& language) {
  const std::string base = base_language(language);
  if (base == "zh") return ScoreTokeniser::zh;
  constexpr std::array kWithoutSpaces =
      std::to_array<std::string_view>({"ja", "th", "lo", "km", "my", "bo", "dz"});
  const bool spaced = std::ranges::find(kWithoutSpaces, base) == kWithoutSpaces.end();
  return spaced ? ScoreTokeniser::mteval_13a : ScoreTokeniser::character;
}

std::string_view name_of(ScoreTokeniser tokeniser) {
  return std::ranges::find(kTokenisers, tokeniser,
                           &std::pair<std::string_view, ScoreTokeniser>::second)
      ->first;
}

std::vector<std::string> score_words(std::string_view text, ScoreTokeniser tokeniser) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& word) { words.push_back(word); };
  switch (tokeniser) {
    case ScoreTokeniser::none:
      for_each_word(text, add);
      break;
    case ScoreTokeniser::mteval_13a:
      for_each_word(with_13a_spaces(text), add);
      break;
    case ScoreTokeniser::intl:
      for_each_word(with_intl_spaces(text), add);
      break;
    case ScoreTokeniser::zh:
      for_each_word(with_zh_spaces(text), add);
      break;
    case ScoreTokeniser::character: {
      const std::string characters = without_spaces(text);
      for_each_character(characters, [&](std::size_t begin, std::size_t end) {
        words.push_back(characters.substr(begin, end - begin));
      });
      break;
    }
  }
  return words;
}

std::string without_spaces(std::string_view text) {
  std::string result;
  for_each_word(text, [&](const std::string& word) { result += word; });
  return result;
}

std::string lower_cased(std::string_view text) {
  return to_utf8(to_utf16(text).toLower(icu::Locale::getRoot()));
}

std::string version_signature() { return "version:hinny-" HINNY_VERSION; }

}  // namespace hinny
