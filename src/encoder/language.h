// Which of a model's languages a question is asked in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encoder/text_encoder.h"

namespace hinny {

struct LanguageGuess {
  std::string language;
  // Others that fit exactly as well (languages that share one vocabulary), in the model's order.
  std::vector<std::string> equals;
};

// By how likely the words are in each language's training captions (an unknown word counts as
// rarer than any known one), and by whether the letters belong to the language's script. A
// question of a few words that two languages share is a guess: let the user say which.
LanguageGuess guess_language(TextEncoder& encoder, std::string_view text);

}  // namespace hinny
