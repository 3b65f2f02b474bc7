#include "server/http_message.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>

namespace hinny {
namespace {

constexpr std::string_view kEveryResponse =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "X-Frame-Options: DENY\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action "
    "'self'; "
    "frame-ancestors 'none'\r\n";

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 416:
      return "Range Not Satisfiable";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";  // may be left out (RFC 9112, 4)
  }
}

void add_connection(std::string& bytes, const ConnectionAfter& after) {
  if (after.close) {
    bytes += "Connection: close\r\n";
    return;
  }
  if (after.say_open) bytes += "Connection: keep-alive\r\n";
  fmt::format_to(std::back_inserter(bytes), "Keep-Alive: timeout={}\r\n", after.idle_seconds);
}

}  // namespace

std::string HttpRequest::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &HttpFields::value_type::first);
  return found == headers.end() ? std::string() : found->second;
}

std::size_t HttpRequest::header_count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::ranges::count(headers, name, &HttpFields::value_type::first));
}

void HttpResponse::set_header(std::string_view name, std::string value) {
  const auto found = std::ranges::find(headers, name, &HttpFields::value_type::first);
  if (found == headers.end()) {
    headers.emplace_back(name, std::move(value));
  } else {
    found->second = std::move(value);
  }
}

void HttpResponse::set_content(std::string bytes, std::string type) {
  body = std::move(bytes);
  set_header("Content-Type", std::move(type));
}

std::string response_bytes(const HttpResponse& response, bool to_head,
                           const ConnectionAfter& after) {
  constexpr std::size_t kUsualHead = 1024;
  const bool bodiless = response.status == 204 || response.status == 304;
  std::string bytes;
  bytes.reserve(kUsualHead + response.body.size());
  const auto to = std::back_inserter(bytes);
  fmt::format_to(to, "HTTP/1.1 {} {}\r\nDate: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", response.status,
                 reason_of(response.status), fmt::gmtime(std::time(nullptr)));
  for (const auto& [name, value] : response.headers) {
    fmt::format_to(to, "{}: {}\r\n", name, value);
  }
  bytes += kEveryResponse;
  // The length of no body is not said (RFC 9110, 8.6).
  if (!bodiless)
    fmt::format_to(to, "Content-Length: {}\r\n", response.body.size() + response.file.size);
  add_connection(bytes, after);
  bytes += "\r\n";
  if (!bodiless && !to_head) bytes += response.body;
  return bytes;
}

}  // namespace hinny
