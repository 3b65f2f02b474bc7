// ICU's word segmentation of one language.
#pragma once

#include <unicode/brkiter.h>

#include <memory>
#include <string>

namespace hinny {

// Where words begin and end in a text of `language` (BCP 47). Costly to make, not safe for
// concurrent use. InputError when `language` is no code, Failure when ICU lacks its rules.
std::unique_ptr<icu::BreakIterator> word_breaks(const std::string& language);

}  // namespace hinny
