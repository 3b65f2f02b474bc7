#include "translation/score_words.h"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <array>
#include <utility>

#include "base/error.h"

namespace hinny {
namespace {

constexpr std::array<std::pair<std::string_view, ScoreTokeniser>, 2> kTokenisers = {
    {{"13a", ScoreTokeniser::mteval_13a}, {"none", ScoreTokeniser::none}}};

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

std::string with_13a_spaces(std::string_view given) {
  std::string text(given);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  std::string spaced = " ";
  for (const char byte : text) {
    if (stands_alone(byte)) {
      spaced += {' ', byte, ' '};
    } else {
      spaced += byte;
    }
  }
  spaced += ' ';
  spaced = set_apart(spaced, is_no_digit, is_point, Apart::second);
  spaced = set_apart(spaced, is_point, is_no_digit, Apart::first);
  return set_apart(spaced, is_digit, is_dash, Apart::second);
}

icu::UnicodeString unicode(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
}

// Calls use(word) for each run of characters without white space.
template <typename Use>
void for_each_word(std::string_view utf8, const Use& use) {
  const icu::UnicodeString text = unicode(utf8);
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
  throw InputError(fmt::format("tokeniser '{}'", name), "13a or none");
}

std::string_view name_of(ScoreTokeniser tokeniser) {
  return tokeniser == ScoreTokeniser::none ? "none" : "13a";
}

std::vector<std::string> score_words(std::string_view text, ScoreTokeniser tokeniser) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& word) { words.push_back(word); };
  if (tokeniser == ScoreTokeniser::none) {
    for_each_word(text, add);
  } else {
    for_each_word(with_13a_spaces(text), add);
  }
  return words;
}

std::string without_spaces(std::string_view text) {
  std::string result;
  for_each_word(text, [&](const std::string& word) { result += word; });
  return result;
}

std::string lower_cased(std::string_view text) {
  std::string result;
  return unicode(text).toLower(icu::Locale::getRoot()).toUTF8String(result);
}

std::string version_signature() { return "version:hinny-" HINNY_VERSION; }

}  // namespace hinny
