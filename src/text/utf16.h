// Text as ICU has it.
#pragma once

#include <unicode/unistr.h>

#include <new>
#include <string>
#include <string_view>

namespace hinny {

// Of UTF-8; what is none becomes U+FFFD. Throws std::bad_alloc where ICU has no memory, as the next
// does for a string that became bogus by that.
inline icu::UnicodeString to_utf16(std::string_view text) {
  icu::UnicodeString result = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  if (result.isBogus() || (result.isEmpty() && !text.empty())) throw std::bad_alloc();
  return result;
}

inline std::string to_utf8(const icu::UnicodeString& text) {
  if (text.isBogus()) throw std::bad_alloc();
  std::string result;
  return text.toUTF8String(result);
}

}  // namespace hinny
