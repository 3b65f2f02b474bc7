// Text in URLs: %20 and fields.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hinny {

// Fields of a URL in their order; a name may stand there several times.
using UrlFields = std::vector<std::pair<std::string, std::string>>;

// "%C3%A9" -> "é". A percent sign without two hexadecimal digits behind it stays. The result may be
// any bytes.
std::string url_decoded(std::string_view text);
// All but letters, digits, '-', '_' and '.' as %XX.
std::string url_encoded(std::string_view text);
// "q=a+dog&k=3" -> {"q", "a dog"}, {"k", "3"}. Fields without a name are left out.
UrlFields url_fields(std::string_view query);

}  // namespace hinny
