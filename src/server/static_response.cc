#include "server/static_response.h"

#include <algorithm>
#include <string_view>

#include "base/content_hash.h"
#include "server/assets.h"

namespace hinny {
namespace {

// Whether a client that has these (a list of tags, weak or not, or *) has this one.
bool names_tag(std::string_view list, std::string_view quoted) {
  while (!list.empty()) {
    const std::size_t first = list.find_first_not_of(" \t,");
    if (first == std::string_view::npos) return false;
    list.remove_prefix(first);
    if (list.starts_with('*')) return true;
    if (list.starts_with("W/")) list.remove_prefix(2);
    const std::size_t end = list.starts_with('"') ? list.find('"', 1) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    if (list.substr(0, end + 1) == quoted) return true;
    list.remove_prefix(end + 1);
  }
  return false;
}

const char* type_of(const std::string& name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/json";
}

}  // namespace

bool has_already(const HttpRequest& request, HttpResponse& response, const std::string& tag,
                 const char* cache_control) {
  const std::string quoted = "\"" + tag + "\"";
  response.set_header("ETag", quoted);
  response.set_header("Cache-Control", cache_control);
  const bool has = std::ranges::any_of(request.headers, [&](const auto& header) {
    return header.first == "if-none-match" && names_tag(header.second, quoted);
  });
  if (has) response.status = 304;
  return has;
}

void send_asset(const HttpRequest& request, HttpResponse& response, const std::string& name) {
  const std::string_view bytes = assets().at(name);
  if (has_already(request, response, content_hash(bytes), "no-cache")) return;
  response.set_content(std::string(bytes), type_of(name));
}

}  // namespace hinny
