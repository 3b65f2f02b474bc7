#include "text/tokenizer.h"

#include <unicode/uchar.h>

#include <optional>
#include <utility>

#include "text/clitics.h"
#include "text/language_code.h"
#include "text/normaliser.h"
#include "text/stems.h"
#include "text/word_breaks.h"

namespace hinny {
namespace {

// What is longer is no word: a web address, a line without spaces. It is cut, so that a
// vocabulary of damaged text stays small.
constexpr std::size_t kLongestWord = 100;

void cut(std::string& word) {
  if (word.size() <= kLongestWord) return;
  std::size_t end = kLongestWord;
  while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) --end;
  word.resize(end);
}

bool has_letter_or_digit(const icu::UnicodeString& text, int32_t begin, int32_t end) {
  for (int32_t i = begin; i < end; i = text.moveIndex32(i, 1)) {
    if (u_isalnum(text.char32At(i))) return true;
  }
  return false;
}

}  // namespace

struct Tokenizer::Segmenter {
  Segmenter(const std::string& language, TokenizerOptions chosen)
      : options(chosen), normaliser(language), clitics(base_language(language)) {
    if (!options.given) breaks = word_breaks(language);
    if (options.stems) stems.emplace(language);
  }

  bool full() const {
    return options.max_words > 0 && words.size() >= static_cast<std::size_t>(options.max_words);
  }

  void add(std::string word) {
    if (word.empty() || full()) return;
    cut(word);
    typed_at.push_back(words.size());
    if (!stems) {
      words.push_back(std::move(word));
      return;
    }
    for (std::string& stem : stems->of(word)) {
      if (!full() && !stem.empty()) words.push_back(std::move(stem));
    }
    typed.push_back(std::move(word));
  }

  std::string utf8(int32_t begin, int32_t end) const {
    std::string result;
    return normal.tempSubStringBetween(begin, end).toUTF8String(result);
  }

  // Adds one of ICU's words, parted at its clitics.
  void add_parts(std::string word) {
    for (std::size_t end = clitics.first_part(word); end < word.size();
         end = clitics.first_part(word)) {
      add(word.substr(0, end));
      word.erase(0, end);
    }
    add(std::move(word));
  }

  // ICU keeps "park.the" whole, as it must keep "3.5": captions lack many a space.
  void add_segment(int32_t begin, int32_t end) {
    if (!has_letter_or_digit(normal, begin, end)) return;
    for (int32_t i = begin + 1; i + 1 < end; ++i) {
      if (normal[i] == '.' && u_isalpha(normal[i - 1]) && u_isalpha(normal[i + 1])) {
        add_parts(utf8(begin, i));
        begin = i + 1;
      }
    }
    add_parts(utf8(begin, end));
  }

  void split_at_words() {
    breaks->setText(normal);
    int32_t begin = breaks->first();
    for (int32_t end = breaks->next(); end != icu::BreakIterator::DONE && !full();
         begin = std::exchange(end, breaks->next())) {
      if (breaks->getRuleStatus() >= UBRK_WORD_NONE_LIMIT) {
        add_segment(begin, end);
      } else if (normal[begin] == '\'' && begin > 0 && !words.empty() &&
                 clitics.leads(words.back()) && !u_isUWhiteSpace(normal[begin - 1])) {
        words.back() += '\'';  // "l' homme", with a space
        if (stems) typed.back() += '\'';
      }
    }
  }

  void split_at_spaces() {
    int32_t begin = 0;
    for (int32_t i = 0; i <= normal.length() && !full(); ++i) {
      if (i < normal.length() && !u_isUWhiteSpace(normal[i])) continue;
      if (i > begin) add(utf8(begin, i));
      begin = i + 1;
    }
  }

  TokenizerOptions options;
  Normaliser normaliser;
  Clitics clitics;
  std::optional<Stems> stems;
  std::unique_ptr<icu::BreakIterator> breaks;  // none when the tokens are given
  icu::UnicodeString normal;                   // the text at work; its memory is reused
  std::vector<std::string> words;
  std::vector<std::size_t> typed_at;  // where each typed word begins among them
  std::vector<std::string> typed;     // the words that stems are of; without stems, none
};

Tokenizer::Tokenizer(const std::string& language, TokenizerOptions options)
    : segmenter_(std::make_unique<Segmenter>(language, options)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void Tokenizer::part(std::string_view text) {
  segmenter_->normaliser(text, segmenter_->normal);
  segmenter_->words.clear();
  segmenter_->typed_at.clear();
  segmenter_->typed.clear();
  if (segmenter_->options.given) {
    segmenter_->split_at_spaces();
  } else {
    segmenter_->split_at_words();
  }
}

std::vector<std::string> Tokenizer::words(std::string_view text) {
  part(text);
  return std::move(segmenter_->words);
}

std::vector<TypedWord> Tokenizer::typed_words(std::string_view text) {
  part(text);
  std::vector<std::string>& words = segmenter_->words;
  const std::vector<std::size_t>& starts = segmenter_->typed_at;
  std::vector<TypedWord> result;
  result.reserve(starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(
                                         i + 1 < starts.size() ? starts[i + 1] : words.size());
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(starts[i]);
    std::string typed = segmenter_->stems ? std::move(segmenter_->typed[i]) : *begin;
    result.push_back({std::move(typed), {std::move_iterator(begin), std::move_iterator(end)}});
  }
  return result;
}

}  // namespace hinny
