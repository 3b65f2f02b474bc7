#include "server/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "server/assets.h"
#include "server/http_error.h"
#include "server/listener.h"

namespace hinny {
namespace {

constexpr std::string_view kImages = "/v1/image/";
// Where the `url` of a result leads that is joined with the page's address, not with the answer's.
constexpr std::string_view kImagesOfPage = "/image/";

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

Api::Api(const Collection& collection, const Metrics& metrics, ApiOptions options)
    : collection_(collection),
      metrics_(metrics),
      options_(std::move(options)),
      thumbnails_(options_.cache) {}

const std::map<std::string, Api::Place>& Api::places() {
  static const std::map<std::string, Place> all = [] {
    std::map<std::string, Place> known = {
        {"/v1/search", {"search", "GET POST", false, &Api::search}},
        {"/v1/embeddings", {"embeddings", "POST", false, &Api::embeddings}},
        {std::string(kImages), {"image", "GET", false, &Api::image}},
        {"/v1/sentences", {"sentences", "GET", false, &Api::sentences}},
        {"/v1/collection", {"collection", "GET", false, &Api::collection}},
        {"/health", {"health", "GET", true, &Api::health}},
        {"/metrics", {"metrics", "GET", false, &Api::metrics}},
        {"/openapi.json", {"openapi", "GET", true, &Api::asset}},
        {"/", {"page", "GET", true, &Api::asset}},
    };
    for (const auto& [name, bytes] : assets()) {
      if (name != kFrontPage)
        known.try_emplace("/" + name, Place{"page", "GET", true, &Api::asset});
    }
    return known;
  }();
  return all;
}

Route Api::find(const HttpRequest& request) {
  const bool image = !image_of(request).empty();
  const auto found = places().find(image ? std::string(kImages) : request.path);
  if (found == places().end()) throw HttpError(404, "there is nothing here (see openapi.json)");
  const Place& place = found->second;
  return {place.name, [this, &place](const HttpRequest& asked, HttpResponse& response) {
            check_right(asked, place, response);
            if (asked.method == "OPTIONS") {
              response.status = 204;
            } else {
              (this->*place.answer)(asked, response);
            }
          }};
}

std::string Api::image_of(const HttpRequest& request) {
  for (const std::string_view folder : {kImages, kImagesOfPage}) {
    if (request.path.starts_with(folder)) return request.path.substr(folder.size());
  }
  return "";
}

// Before HTTP/1.1 there was none, and no page of a browser asks without it.
void Api::check_host(const HttpRequest& request) const {
  const std::size_t hosts = request.header_count("host");
  if (hosts == 0 && request.minor_version == 0) return;
  if (hosts != 1) throw HttpError(400, fmt::format("{} headers Host (expected one)", hosts));
  if (options_.key.empty() && !is_loopback(host_name(request.header("host")))) {
    throw HttpError(403, "this server answers to localhost alone; with a key it answers to all");
  }
}

void Api::check_right(const HttpRequest& request, const Place& place,
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
  if (!options && !options_.key.empty() && !place.open && !has_key(request, options_.key)) {
    response.set_header("WWW-Authenticate", "Bearer");
    throw HttpError(401, "a key is needed (expected the header Authorization: Bearer KEY)");
  }
}

}  // namespace hinny
