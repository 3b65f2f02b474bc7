// JSON as an answer.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "server/http_message.h"

namespace hinny {

// Writes a float with as many digits as it has.
using FloatJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                       std::int64_t, std::uint64_t, float>;

template <typename Json>
void send_json(HttpResponse& response, const Json& json) {
  response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace),
                       "application/json");
  response.set_header("Cache-Control", "no-store");
}

}  // namespace hinny
