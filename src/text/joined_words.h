// Lossless tokens, for models that write text: a text can be put together from them again.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// Starts a token that had no space before it: "halt !" is {"halt", "!"}, "halt!" {"halt", "￭!"}.
// U+FFED HALFWIDTH BLACK SQUARE, as OpenNMT's tokenizer has it.
inline constexpr std::string_view kJoiner = "\uFFED";

// Not safe for concurrent use: one per thread. Cheap to move.
class JoinedWords {
 public:
  // InputError when `language` is no BCP 47 code.
  explicit JoinedWords(const std::string& language);
  ~JoinedWords();
  JoinedWords(JoinedWords&&) noexcept;
  JoinedWords& operator=(JoinedWords&&) noexcept;

  // The words, numbers, punctuation and symbols of normalise(text) in order, cut by ICU's word
  // segmentation; a run of one symbol ("...") stays together. Tokens are not empty and hold no
  // white space. `text` must be UTF-8; throws InputError otherwise.
  std::vector<std::string> split(std::string_view text);

  // What split() was given, normalised, without white space at its ends and with one space for
  // each run of it within. Takes any tokens, a model's too: joiners never get into the text, one
  // at the start has nothing to join, and an empty token counts for nothing. Safe to share.
  static std::string join(const std::vector<std::string>& tokens);

 private:
  struct Segmenter;
  std::unique_ptr<Segmenter> segmenter_;
};

}  // namespace hinny
