#include "text/utf16.h"

#include <new>

namespace hinny {

icu::UnicodeString to_utf16(std::string_view text) {
  icu::UnicodeString result = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  if (result.isBogus() || (result.isEmpty() && !text.empty())) throw std::bad_alloc();
  return result;
}

std::string to_utf8(const icu::UnicodeString& text) {
  if (text.isBogus()) throw std::bad_alloc();
  std::string result;
  return text.toUTF8String(result);
}

}  // namespace hinny
