// Answers that stay the same until a file or the program changes.
#pragma once

#include <string>

#include "server/http_message.h"

namespace hinny {

// Tags the response. With If-None-Match, 304 when the client has it already; else false.
bool has_already(const HttpRequest& request, HttpResponse& response, const std::string& tag,
                 const char* cache_control);

// One of assets().
void send_asset(const HttpRequest& request, HttpResponse& response, const std::string& name);

}  // namespace hinny
