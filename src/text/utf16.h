// Text as ICU has it.
#pragma once

#include <unicode/unistr.h>

#include <string>
#include <string_view>

namespace hinny {

// Of UTF-8; what is none becomes U+FFFD. Throws std::bad_alloc where ICU has no memory, as the next
// does for a string that became bogus by that.
icu::UnicodeString to_utf16(std::string_view text);
std::string to_utf8(const icu::UnicodeString& text);

}  // namespace hinny
