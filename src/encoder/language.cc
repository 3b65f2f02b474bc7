#include "encoder/language.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "text/icu_status.h"
#include "text/language_code.h"

namespace hinny {
namespace {

const double kUnknownWord = std::log(1e-7);  // rarer than once in any training set of captions
const double kPlainLetters = std::log(0.1);  // for a word that is typed otherwise than it is known
constexpr double kForeignLetters = -10.0;    // for a text without one letter of the script

// Mean log probability of the words.
double words_score(const std::vector<ReadWord>& words, const Vocabulary& vocabulary, double total) {
  if (words.empty()) return kUnknownWord;
  double sum = 0;
  for (const ReadWord& word : words) {
    const std::int64_t count = word.id == kUnknown ? 0 : vocabulary.count(word.id);
    if (count == 0) {
      sum += kUnknownWord;
      continue;
    }
    const double likely = std::log(static_cast<double>(count) / total);
    sum += word.exact ? likely : std::max(likely + kPlainLetters, kUnknownWord);
  }
  return sum / static_cast<double>(words.size());
}

std::set<UScriptCode> scripts_of(const std::string& language) {
  std::array<UScriptCode, 8> codes{};
  UErrorCode status = U_ZERO_ERROR;
  const int count =
      uscript_getCode(locale_of(language).getName(), codes.data(), codes.size(), &status);
  if (icu_failed(status)) return {};
  return {codes.begin(), codes.begin() + count};
}

// The share of letters that the language is not written in; 0 for a language ICU does not know.
double foreign_share(std::string_view text, const std::string& language) {
  const std::set<UScriptCode> scripts = scripts_of(language);
  int letters = 0;
  int foreign = 0;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    UChar32 letter = 0;
    U8_NEXT(bytes, i, text.size(), letter);
    if (letter < 0 || u_isalpha(letter) == 0) continue;
    UErrorCode status = U_ZERO_ERROR;
    ++letters;
    foreign += scripts.contains(uscript_getScript(letter, &status)) ? 0 : 1;
  }
  return scripts.empty() || letters == 0 ? 0.0 : static_cast<double>(foreign) / letters;
}

// One encoder reads them all: only letters tell, and languages of the same are not told apart.
LanguageGuess guess_by_letters(const Model& model, std::string_view text) {
  LanguageGuess guess;
  double best = 0;
  for (const std::string& language : model.config().languages) {
    const double foreign = foreign_share(text, language);
    if (!guess.language.empty() && foreign >= best) continue;
    guess.language = language;
    best = foreign;
    if (best == 0) break;
  }
  return guess;
}

}  // namespace

LanguageGuess guess_language(TextEncoder& encoder, std::string_view text) {
  const Model& model = encoder.model();
  if (model.tower() != nullptr) return guess_by_letters(model, text);
  LanguageGuess guess;
  double best = 0;
  for (const std::string& language : model.config().languages) {
    // Training captions count every word once or more, so this is their length in words.
    const double total = 1 + model.words_seen(language);
    const double score =
        words_score(encoder.words(text, language), model.vocabulary(language), total) +
        kForeignLetters * foreign_share(text, language);
    if (guess.language.empty() || score > best) {
      guess = {language, {}};
      best = score;
    } else if (score == best) {
      guess.equals.push_back(language);
    }
  }
  return guess;
}

}  // namespace hinny
