#include "server/http_error.h"

#include <fmt/format.h>

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

std::string_view reason_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

std::string error_json(int status, std::string_view message) {
  const nlohmann::ordered_json json = {
      {"error", {{"message", std::string(message)}, {"type", type_of(status)}}}};
  return terminal_lines(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string error_response(int status, std::string_view message, bool close) {
  const std::string body = error_json(status, message);
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
      "X-Content-Type-Options: nosniff\r\n{}{}\r\n{}",
      status, reason_of(status), body.size(), status == 503 ? "Retry-After: 1\r\n" : "",
      close ? "Connection: close\r\n" : "", body);
}

}  // namespace hinny
