#include "server/api.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "server/assets.h"
#include "server/http_error.h"
#include "server/url_text.h"

namespace hinny {
namespace {

constexpr std::string_view kImages = "/v1/image/";
constexpr std::string_view kFilms = "/v1/film/";
constexpr std::string_view kVersion = "/v1";

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
        {std::string(kFilms), {{"film", "GET"}, &Api::film}},
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
  const std::string_view inside = folder_of(address.path);
  const auto found = places().find(inside.empty() ? address.path : std::string(inside));
  return found == places().end() ? nullptr : &found->second;
}

Route Api::find(const HttpRequest& request) {
  // Who may not ask what is here is not told which names there are.
  static const Answered unknown{{"unknown_index", "GET POST"}, &Api::unknown_index};
  static const Place passed{"film", "GET", true};
  const Address address = address_of(request.path);
  const auto found = address.index ? std::ranges::find(indexes_, *address.index, &NamedIndex::name)
                                   : indexes_.begin();
  const bool known = found != indexes_.end();
  const Answered* answered = known ? place_of(address) : &unknown;
  if (answered == nullptr) throw HttpError(404, "there is nothing here (see openapi.json)");
  const NamedIndex& index = known ? *found : indexes_.front();
  const bool passes = known && folder_of(address.path) == kFilms && has_pass(request);
  return access_.route(
      passes ? passed : answered->place,
      [this, answered, address, &index](const HttpRequest& asked, HttpResponse& response) {
        (this->*answered->answer)({asked, address, index}, response);
      });
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

std::string Api::id_of(const Address& address) {
  const std::size_t skipped = address.path.starts_with(kVersion) ? kVersion.size() : 0;
  return address.path.substr(address.path.find('/', skipped + 1) + 1);
}

bool Api::has_pass(const HttpRequest& request) const {
  for (const auto& [name, value] : url_fields(request.query)) {
    if (name == "pass" && access_.is_pass(value)) return true;
  }
  return false;
}

}  // namespace hinny
