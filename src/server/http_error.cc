#include "server/http_error.h"

#include <nlohmann/json.hpp>

#include "base/terminal_text.h"

namespace hinny {
namespace {

std::string_view type_of(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 503:
      return "overloaded_error";
    default:
      return status < 500 ? "invalid_request_error" : "server_error";
  }
}

}  // namespace

std::string error_json(int status, std::string_view message) {
  const nlohmann::ordered_json json = {
      {"error", {{"message", std::string(message)}, {"type", type_of(status)}}}};
  return terminal_lines(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

HttpResponse error_response(int status, std::string_view message) {
  HttpResponse response{.status = status, .headers = {}, .body = ""};
  response.set_content(error_json(status, message), "application/json");
  if (status == 503) response.set_header("Retry-After", "1");
  return response;
}

}  // namespace hinny
