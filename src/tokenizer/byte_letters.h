// GPT-2's alphabet: a visible letter for each byte.
#pragma once

#include <string>
#include <string_view>

namespace hinny {

// Each byte as its letter: " a" becomes "Ġa".
std::string byte_letters(std::string_view bytes);

}  // namespace hinny
