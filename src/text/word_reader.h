// Text -> the words of a vocabulary, however their letters are typed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/plain_letters.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace hinny {

struct ReadWord {
  std::string word;   // the vocabulary's; of an unknown one the tokenizer's (a stem, say)
  std::string typed;  // what the text has there
  std::int32_t id = kUnknown;
  bool exact = true;  // false of a word that is known but for how its letters are typed
};

// docs/text.md, "Letters typed plainly", says what is tried and in which order. A word that the
// vocabulary has as it is typed is that word, unless it is far rarer than the one with marks. Not
// safe for concurrent use: one per thread. Cheap to move.
class WordReader {
 public:
  // `vocabulary` and what `plain` gives, which is asked for when it is first needed, must outlive
  // it.
  WordReader(const std::string& language, TokenizerOptions options, const Vocabulary& vocabulary,
             std::function<const PlainWords&()> plain);
  ~WordReader();
  WordReader(WordReader&&) noexcept;
  WordReader& operator=(WordReader&&) noexcept;

  // Throws InputError when `text` is not UTF-8.
  std::vector<ReadWord> read(std::string_view text);

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace hinny
