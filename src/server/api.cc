#include "server/api.h"

#include <string_view>

#include "server/assets.h"
#include "server/http_error.h"
#include "server/url_text.h"

namespace hinny {
namespace {

constexpr std::string_view kImages = "/v1/image/";
constexpr std::string_view kFilms = "/v1/film/";
constexpr std::string_view kVersion = "/v1";

}  // namespace

Api::Api(const Collection& collection, const Metrics& metrics, const ApiOptions& options)
    : collection_(collection),
      metrics_(metrics),
      access_(options.key),
      waiting_(options.waiting),
      thumbnails_(options.cache) {}

const std::map<std::string, Api::Answered>& Api::places() {
  static const std::map<std::string, Answered> all = [] {
    std::map<std::string, Answered> known = {
        {"/v1/search", {{"search", "GET POST"}, &Api::search}},
        {"/v1/embeddings", {{"embeddings", "POST"}, &Api::embeddings}},
        {std::string(kImages), {{"image", "GET"}, &Api::image}},
        {std::string(kFilms), {{"film", "GET"}, &Api::film}},
        {"/v1/sentences", {{"sentences", "GET"}, &Api::sentences}},
        {"/v1/collection", {{"collection", "GET"}, &Api::collection}},
        {"/health", {{"health", "GET", true}, &Api::health}},
        {"/metrics", {{"metrics", "GET"}, &Api::metrics}},
        {"/openapi.json", {{"openapi", "GET", true}, &Api::asset}},
        {"/", {{"page", "GET", true}, &Api::asset}},
    };
    for (const auto& [name, bytes] : assets()) {
      if (name != kFrontPage && name != kEmbeddingDescription)
        known.try_emplace("/" + name, Answered{{"page", "GET", true}, &Api::asset});
    }
    return known;
  }();
  return all;
}

std::string_view Api::folder_of(std::string_view path) {
  for (const std::string_view folder : {kImages, kFilms}) {
    // As the `url` of a result leads to where it is joined with the page's address, not with the
    // answer's.
    const std::string_view of_page = folder.substr(kVersion.size());
    for (const std::string_view start : {folder, of_page}) {
      if (path.starts_with(start) && path.size() > start.size()) return folder;
    }
  }
  return "";
}

std::string Api::id_of(const HttpRequest& request) {
  const std::size_t skipped = request.path.starts_with(kVersion) ? kVersion.size() : 0;
  return request.path.substr(request.path.find('/', skipped + 1) + 1);
}

Route Api::find(const HttpRequest& request) {
  const std::string_view folder = folder_of(request.path);
  const auto found = places().find(folder.empty() ? request.path : std::string(folder));
  if (found == places().end()) throw HttpError(404, "there is nothing here (see openapi.json)");
  const Answered& answered = found->second;
  static const Place passed{"film", "GET", true};
  return access_.route(folder == kFilms && has_pass(request) ? passed : answered.place,
                       [this, &answered](const HttpRequest& asked, HttpResponse& response) {
                         (this->*answered.answer)(asked, response);
                       });
}

bool Api::has_pass(const HttpRequest& request) const {
  for (const auto& [name, value] : url_fields(request.query)) {
    if (name == "pass" && access_.is_pass(value)) return true;
  }
  return false;
}

}  // namespace hinny
