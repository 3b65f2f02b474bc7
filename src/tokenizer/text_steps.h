// What is done to a text before it is split: normalisation.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "tokenizer/character_map.h"
#include "tokenizer/prefix_tree.h"
#include "tokenizer/step.h"

namespace hinny {

// Changes well-formed UTF-8 into such; safe to share between threads.
using TextStep = std::function<void(std::string& text)>;

struct TextStepContext {
  std::filesystem::path file;  // for messages
  CharacterMap characters;
  PrefixTree user_defined;  // pieces that SentencePiece does not normalise
};

// Throws InputError for a name that is none, or options that do not fit it. The step views what the
// context views.
TextStep make_text_step(const Step& step, const TextStepContext& context);

}  // namespace hinny
