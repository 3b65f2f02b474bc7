// How a normalised text is split into the words that are cut into pieces.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tokenizer/step.h"

namespace hinny {

// Replaces the words by what becomes of each; no word is empty. `at_start`: the first word begins
// the text. Safe to share between threads.
using Splitter = std::function<void(std::vector<std::string>& words, bool at_start)>;

// Throws InputError for a name that is none, or options that do not fit it.
Splitter make_splitter(const Step& step, const std::filesystem::path& file);

}  // namespace hinny
