// Sentences whose language may not be known, one or many.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "encoder/language.h"

namespace hinny {

struct Sentence {
  std::string language;  // "" guesses it
  std::string text;
};

struct ReadSentence {
  LanguageGuess guess;  // the sentence's own language, if it has one
  EncodedText encoded;
};

// Throws InputError as TextEncoder::encode.
ReadSentence read_sentence(TextEncoder& encoder, const Sentence& sentence);

// Throws RequestError where the model knows no word of the sentence: its vector says nothing.
void check_known(const Model& model, const Sentence& sentence, const EncodedText& encoded);

// Reads all of them on all threads and hands them to take(position, read) in order, on the calling
// thread. Shows progress, stops at Ctrl-C, and keeps no more than a block of vectors.
void read_sentences(const Model& model, std::span<const Sentence> sentences,
                    const std::function<void(std::size_t, ReadSentence&&)>& take);

}  // namespace hinny
