// Names in composed and in decomposed letters (é as one character or as two), which are the same to
// people: macOS takes letters apart where keyboards elsewhere do not.
#pragma once

#include <string>
#include <string_view>

namespace hinny {

// The form that all spellings of a name share (Unicode's NFC). What is no UTF-8, and what is ASCII,
// stays as it is.
std::string composed(std::string_view name);

// The other one (NFD), which is what macOS writes.
std::string decomposed(std::string_view name);

// With all letters in one case (Unicode's case folding); what is no UTF-8 has ASCII's folded alone.
std::string folded_case(std::string_view name);

}  // namespace hinny
