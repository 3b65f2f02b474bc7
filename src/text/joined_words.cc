#include "text/joined_words.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "text/normaliser.h"
#include "text/word_breaks.h"

namespace hinny {

struct JoinedWords::Segmenter {
  explicit Segmenter(const std::string& language)
      : normaliser(language), breaks(word_breaks(language)) {}

  // NFKC turns a joiner in the text into a plain black square: what stands in a token is ours.
  void set_text(std::string_view given) {
    normaliser(given, normal);
    text.remove();
    bool space = false;
    for (int32_t i = 0; i < normal.length(); ++i) {
      const char16_t unit = normal[i];  // no white space lies beyond 16 bits
      if (u_isUWhiteSpace(unit)) {
        space = !text.isEmpty();
      } else {
        if (std::exchange(space, false)) text.append(u' ');
        text.append(unit);
      }
    }
    breaks->setText(text);
  }

  // Another of the symbol right before it.
  bool goes_on(int32_t begin, int32_t end) const {
    return last_length == end - begin &&
           text.compare(begin, end - begin, text, begin - last_length, last_length) == 0;
  }

  void add(int32_t begin, int32_t end, bool word) {
    if (begin == end) return;
    if (word || !goes_on(begin, end)) {
      tokens.emplace_back(begin > 0 && text[begin - 1] != u' ' ? kJoiner : "");
    }
    text.tempSubStringBetween(begin, end).toUTF8String(tokens.back());
    last_length = end - begin;
  }

  // ICU keeps a combining accent with the space before it.
  void add_segment(int32_t begin, int32_t end, bool word) {
    for (int32_t i = begin; i < end; ++i) {
      if (text[i] == u' ') add(std::exchange(begin, i + 1), i, word);
    }
    add(begin, end, word);
  }

  Normaliser normaliser;
  std::unique_ptr<icu::BreakIterator> breaks;
  icu::UnicodeString normal;  // their memory is reused
  icu::UnicodeString text;
  int32_t last_length = 0;  // of the word or symbol before; 0: none
  std::vector<std::string> tokens;
};

JoinedWords::JoinedWords(const std::string& language)
    : segmenter_(std::make_unique<Segmenter>(language)) {}
JoinedWords::~JoinedWords() = default;
JoinedWords::JoinedWords(JoinedWords&&) noexcept = default;
JoinedWords& JoinedWords::operator=(JoinedWords&&) noexcept = default;

std::vector<std::string> JoinedWords::split(std::string_view text) {
  Segmenter& segmenter = *segmenter_;
  segmenter.set_text(text);
  segmenter.tokens.clear();
  segmenter.last_length = 0;
  icu::BreakIterator& breaks = *segmenter.breaks;
  int32_t begin = breaks.first();
  for (int32_t end = breaks.next(); end != icu::BreakIterator::DONE;
       begin = std::exchange(end, breaks.next())) {
    segmenter.add_segment(begin, end, breaks.getRuleStatus() >= UBRK_WORD_NONE_LIMIT);
  }
  return std::move(segmenter.tokens);
}

std::string JoinedWords::join(const std::vector<std::string>& tokens) {
  std::string text;
  for (std::string_view token : tokens) {
    bool space = !text.empty() && !token.starts_with(kJoiner);
    while (!token.empty()) {
      const std::size_t end = std::min(token.find(kJoiner), token.size());
      if (end > 0 && std::exchange(space, false)) text += ' ';
      text += token.substr(0, end);
      token.remove_prefix(end == token.size() ? end : end + kJoiner.size());
    }
  }
  return text;
}

}  // namespace hinny
