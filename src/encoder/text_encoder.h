// Sentences -> vectors.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/model.h"
#include "text/word_reader.h"

namespace hinny {

struct EncodedText {
  std::vector<float> vector;               // config().dim numbers
  std::vector<std::string> known_words;    // in order, as the vocabulary has them
  std::vector<std::string> unknown_words;  // as they were typed
  // Unknown too, but read as the words that look like them (word_parts.h), which stand beside.
  struct Guess {
    std::string word;
    std::vector<std::string> like;
    bool operator==(const Guess&) const = default;
  };
  std::vector<Guess> guessed_words{};
  // Of a model that pools words: what it read at each place (a marker is ""), the word there among
  // the others before pooling [tokens, numbers], and what it counted for in the vector.
  std::vector<std::string> tokens;
  std::vector<float> items;
  std::vector<float> attention;
  // The vector then says nothing about the text.
  bool nothing_known() const { return known_words.empty() && guessed_words.empty(); }
};

// Not safe for concurrent use: one per thread; each computes on its own thread alone. `model`
// must outlive it.
class TextEncoder {
 public:
  // drop: what the model lacks is left to its recipe, as in training. guess: it is read by its
  // parts, where these tell something.
  enum class Unknown { drop, guess };
  explicit TextEncoder(const Model& model, Unknown unknown = Unknown::drop)
      : model_(model), unknown_(unknown) {}

  // `language` is any code of one that the model has. Throws InputError when it lacks the language
  // or `text` is not UTF-8.
  EncodedText encode(std::string_view text, const std::string& language);
  // The words of a text as this model reads them; of a pretrained model what stands between blanks.
  std::vector<ReadWord> words(std::string_view text, const std::string& language);

  const Model& model() const { return model_; }

 private:
  struct Place;
  EncodedText read_by_tower(std::string_view text, const TextSpec& spec) const;
  WordReader& reader(const std::string& language);
  std::vector<Place> places_of(const std::vector<ReadWord>& words, const std::string& language,
                               EncodedText& result) const;
  std::vector<float> look_up_all(const TextSpec& spec, const std::vector<Place>& places) const;
  const Model& model_;
  Unknown unknown_;
  std::map<std::string, WordReader> readers_;
};

}  // namespace hinny
