#include "server/api.h"

#include <string_view>

#include "server/assets.h"
#include "server/http_error.h"

namespace hinny {
namespace {

constexpr std::string_view kImages = "/v1/image/";
// Where the `url` of a result leads that is joined with the page's address, not with the answer's.
constexpr std::string_view kImagesOfPage = "/image/";

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

Route Api::find(const HttpRequest& request) {
  const bool image = !image_of(request).empty();
  const auto found = places().find(image ? std::string(kImages) : request.path);
  if (found == places().end()) throw HttpError(404, "there is nothing here (see openapi.json)");
  const Answered& answered = found->second;
  return access_.route(answered.place,
                       [this, &answered](const HttpRequest& asked, HttpResponse& response) {
                         (this->*answered.answer)(asked, response);
                       });
}

std::string Api::image_of(const HttpRequest& request) {
  for (const std::string_view folder : {kImages, kImagesOfPage}) {
    if (request.path.starts_with(folder)) return request.path.substr(folder.size());
  }
  return "";
}

}  // namespace hinny
