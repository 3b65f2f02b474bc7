// The files of the page, and openapi.json, as they were when the program was built.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace hinny {

inline constexpr std::string_view kFrontPage = "index.html";  // the asset at "/"

const std::map<std::string, std::string_view>& assets();  // by file name

}  // namespace hinny
