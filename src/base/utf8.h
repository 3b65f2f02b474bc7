// Checking and cutting UTF-8 text.
#pragma once

#include <string_view>

namespace hinny {

// True when `text` is well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

}  // namespace hinny
