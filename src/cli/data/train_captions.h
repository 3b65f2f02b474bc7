// What is learnt or counted from a dataset's training captions of one language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

namespace hinny {

// By any of the language's codes; the texts live in the dataset. InputError as Dataset::language
// and Dataset::split.
std::vector<std::string_view> train_captions(const Dataset& dataset, const std::string& language);

// How often each of their words stands there.
WordCounts train_words(const Dataset& dataset, const std::string& language,
                       const TokenizerOptions& options = {});

}  // namespace hinny
