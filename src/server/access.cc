#include "server/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string_view>

#include "server/http_error.h"
#include "server/listener.h"

namespace hinny {
namespace {

// Takes as long for a wrong key as for the right one.
bool same_key(std::string_view given, std::string_view key) {
  unsigned differences = given.size() == key.size() ? 0U : 1U;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char other = i < given.size() ? given[i] : '\0';
    differences |= static_cast<unsigned char>(key[i] ^ other);
  }
  return differences == 0;
}

bool has_key(const HttpRequest& request, std::string_view key) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string given = request.header("authorization");
  return given.starts_with(kScheme) &&
         same_key(std::string_view(given).substr(kScheme.size()), key);
}

// "localhost:8080" -> "localhost", "[::1]:8080" -> "::1"; "" for what is not written so.
std::string host_name(std::string_view host) {
  const bool six = host.starts_with('[');
  if (six) host.remove_prefix(1);
  const std::size_t end = std::min(host.find(six ? ']' : ':'), host.size());
  std::string_view port = host.substr(end);
  if (six && port.empty()) return "";
  if (six) port.remove_prefix(1);
  const bool plain = port.empty() || (port.starts_with(':') &&
                                      port.find_first_not_of("0123456789", 1) == port.npos);
  return plain ? std::string(host.substr(0, end)) : "";
}

}  // namespace

Access::Access(std::string key) : key_(std::move(key)) {
  if (key_.empty()) return;
  std::random_device random;
  for (int i = 0; i < 4; ++i) pass_ += fmt::format("{:08x}", random());
}

bool Access::is_pass(std::string_view given) const {
  return !pass_.empty() && same_key(given, pass_);
}

Route Access::route(const Place& place,
                    std::function<void(const HttpRequest&, HttpResponse&)> answer) const {
  return {place.name, [this, &place, answer = std::move(answer)](const HttpRequest& request,
                                                                 HttpResponse& response) {
            check_right(request, place, response);
            if (request.method == "OPTIONS") {
              response.status = 204;
            } else {
              answer(request, response);
            }
          }};
}

// Before HTTP/1.1 there was none, and no page of a browser asks without it.
void Access::check_host(const HttpRequest& request) const {
  const std::size_t hosts = request.header_count("host");
  if (hosts == 0 && request.minor_version == 0) return;
  if (hosts != 1) throw HttpError(400, fmt::format("{} headers Host (expected one)", hosts));
  if (key_.empty() && !is_loopback(host_name(request.header("host")))) {
    throw HttpError(403, "this server answers to localhost alone; with a key it answers to all");
  }
}

void Access::check_right(const HttpRequest& request, const Place& place,
                         HttpResponse& response) const {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  const bool options = method == "OPTIONS";
  if (options || place.methods.find(method) == std::string::npos) {
    response.set_header("Allow", place.methods == "GET"    ? "GET, HEAD, OPTIONS"
                                 : place.methods == "POST" ? "POST, OPTIONS"
                                                           : "GET, HEAD, POST, OPTIONS");
    if (!options)
      throw HttpError(405, fmt::format("{} is not answered here (expected {})",
                                       method.substr(0, 20), place.methods));
  }
  check_host(request);
  if (!options && !key_.empty() && !place.open && !has_key(request, key_)) {
    response.set_header("WWW-Authenticate", "Bearer");
    throw HttpError(401, "a key is needed (expected the header Authorization: Bearer KEY)");
  }
}

}  // namespace hinny
