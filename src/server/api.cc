#include "server/api.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "server/assets.h"
#include "server/http_error.h"

namespace hinny {
namespace {

constexpr std::string_view kImages = "/v1/image/";
// Where the `url` of a result leads that is joined with the page's address, not with the answer's.
constexpr std::string_view kImagesOfPage = "/image/";

}  // namespace

Api::Api(std::vector<NamedIndex> indexes, const Metrics& metrics, const ApiOptions& options)
    : indexes_(std::move(indexes)),
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
        {"/v1/indexes", {{"indexes", "GET"}, &Api::indexes}},
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

const Api::Answered* Api::place_of(const Address& address) {
  static const Answered folder{{"page", "GET", true}, &Api::to_folder};
  if (address.path.empty()) return &folder;
  const bool image = !image_of(address.path).empty();
  const auto found = places().find(image ? std::string(kImages) : address.path);
  return found == places().end() ? nullptr : &found->second;
}

Route Api::find(const HttpRequest& request) {
  // Who may not ask what is here is not told which names there are.
  static const Answered unknown{{"unknown_index", "GET POST"}, &Api::unknown_index};
  const Address address = address_of(request.path);
  const auto found = address.index ? std::ranges::find(indexes_, *address.index, &NamedIndex::name)
                                   : indexes_.begin();
  const bool known = found != indexes_.end();
  const Answered* answered = known ? place_of(address) : &unknown;
  if (answered == nullptr) throw HttpError(404, "there is nothing here (see openapi.json)");
  const NamedIndex& index = known ? *found : indexes_.front();
  return access_.route(answered->place, [this, answered, address, &index](const HttpRequest& asked,
                                                                          HttpResponse& response) {
    (this->*answered->answer)({asked, address, index}, response);
  });
}

std::string Api::image_of(std::string_view path) {
  for (const std::string_view folder : {kImages, kImagesOfPage}) {
    if (path.starts_with(folder)) return std::string(path.substr(folder.size()));
  }
  return "";
}

}  // namespace hinny
