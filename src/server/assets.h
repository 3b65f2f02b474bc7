// The files of the page, and what describes the APIs, as they were when the program was built.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace hinny {

inline constexpr std::string_view kFrontPage = "index.html";  // the asset at "/"
// What describes the API of a server that has a model and no collection.
inline constexpr std::string_view kEmbeddingDescription = "embedding-openapi.json";

const std::map<std::string, std::string_view>& assets();  // by file name

}  // namespace hinny
