// Chinese in simplified and in traditional characters.
#pragma once

#include <string>
#include <string_view>

namespace hinny {

enum class HanScript { simplified, traditional };

// By ICU's transliteration, character by character; what is no Han stays. `text` is UTF-8. Threads
// may call it at once.
std::string in_han_script(std::string_view text, HanScript script);

}  // namespace hinny
