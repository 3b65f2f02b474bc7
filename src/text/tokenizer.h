// Captions -> words: normalisation, then ICU word segmentation.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// Lower-cased NFKC text, with the case rules of `language` (a BCP 47 code such as "tr").
// NFKC, not NFC: captions mix full-width and ASCII forms of the same word.
// `text` must be UTF-8 (data/ checks it on reading); throws InputError otherwise.
std::string normalise(std::string_view text, const std::string& language);

struct TokenizerOptions {
  bool given = false;  // the text is tokenised already: normalise, then split at spaces alone
  int max_words = 0;   // keep the first max_words words; 0: all
  bool stems = false;  // what words are made of (text/stems.h) in their place
};

struct TypedWord {
  std::string typed;               // normalised
  std::vector<std::string> parts;  // itself, or what it is made of
};

// Not safe for concurrent use: one per thread. Cheap to move.
class Tokenizer {
 public:
  explicit Tokenizer(const std::string& language, TokenizerOptions options = {});
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // Words and numbers in order, punctuation and spaces dropped (given tokenisation keeps all).
  std::vector<std::string> words(std::string_view text);
  // The same, each beside what was typed: their parts in order are words(text).
  std::vector<TypedWord> typed_words(std::string_view text);

 private:
  void part(std::string_view text);
  struct Segmenter;
  std::unique_ptr<Segmenter> segmenter_;
};

}  // namespace hinny
