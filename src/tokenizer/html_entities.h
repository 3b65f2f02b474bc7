// Entities of HTML in captions from the web.
#pragma once

#include <string>
#include <string_view>

namespace hinny {

// With "&amp;", "&#39;", "&#x27;" and such as their letters: numbers, the names of Latin-1's
// letters and of common signs, closed by ";". Others stay.
std::string without_entities(std::string_view text);

}  // namespace hinny
