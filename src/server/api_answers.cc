// The answers themselves; who may ask what is in api.cc.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/path_text.h"
#include "base/read_file.h"
#include "base/terminal_text.h"
#include "index/asking/found_json.h"
#include "index/tree/film_frames.h"
#include "server/api.h"
#include "server/assets.h"
#include "server/embedding_request.h"
#include "server/file_response.h"
#include "server/http_error.h"
#include "server/json_response.h"
#include "server/search_request.h"
#include "server/static_response.h"
#include "server/url_text.h"
#include "vision/picture.h"

namespace hinny {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Seen from the answer's own address, /v1/search: a proxy may have put a path before that.
std::string url_of(const std::string& id) { return "image/" + url_encoded(id); }

std::string film_url_of(const std::string& id, const std::string& pass) {
  const std::string url = "film/" + url_encoded(id);
  return pass.empty() ? url : fmt::format("{}?pass={}", url, pass);
}

ordered_json understood_json(const Understood& text) {
  ordered_json guessed = ordered_json::array();
  for (const EncodedText::Guess& guess : text.guessed_words) {
    guessed.push_back({{"word", guess.word}, {"like", guess.like}});
  }
  return {{"text", text.text},
          {"language", text.language},
          {"equals", text.equals},
          {"unknown_words", text.unknown_words},
          {"guessed_words", std::move(guessed)}};
}

// `pass`: Access::pass().
ordered_json result_json(const Found& found, const std::string& pass) {
  ordered_json result = {{"image", found.image}};
  if (!found.file.empty()) result["url"] = url_of(found.image);
  if (frame_moment(found.image, found.file)) result["film"] = film_url_of(found.image, pass);
  if (!found.below.empty()) {  // where the folder is, is not told
    result["file"] = path_text(found.below);
    result["relative_file"] = path_text(found.below);  // as `hinny search --json` calls it
  }
  put_facts(found, result);
  for (const Found& copy : found.copies) result["copies"].push_back(result_json(copy, pass));
  if (found.explanation) result["explanation"] = as_json(*found.explanation);
  return result;
}

ordered_json answer_json(const Answer& answer, const std::string& pass) {
  ordered_json json = {{"query", answer.sentence}};
  if (!answer.sentence.empty()) json["language"] = answer.texts.front().language;
  json["understood"] = ordered_json::array();
  for (const Understood& text : answer.texts) json["understood"].push_back(understood_json(text));
  if (!answer.heard.empty()) json["heard"] = heard_json(answer);
  json["results"] = ordered_json::array();
  for (const Found& found : answer.found) json["results"].push_back(result_json(found, pass));
  return json;
}

SearchRequest search_request(const HttpRequest& request) {
  if (request.method != "POST") return search_from_url(url_fields(request.query));
  if (!url_fields(request.query).empty()) {
    throw HttpError(400, "fields in the URL of a POST (expected them in its body)");
  }
  const std::string type = request.header("content-type");
  if (type.starts_with("multipart/form-data")) return search_from_form(request.body, type);
  return search_from_json(request.body);
}

// What every browser shows, as it is; nullptr for other formats.
const char* shown_type(PictureFormat format) {
  switch (format) {
    case PictureFormat::jpeg:
      return "image/jpeg";
    case PictureFormat::png:
      return "image/png";
    case PictureFormat::gif:
      return "image/gif";
    case PictureFormat::webp:
      return "image/webp";
    default:
      return nullptr;
  }
}

// The file as it is, when it is a picture that browsers show, and no larger than what is held in
// memory for one request. False for other pictures.
bool send_whole(const std::string& file, HttpResponse& response) {
  constexpr std::uint64_t kMostSent = std::uint64_t{64} << 20U;
  std::error_code unknown;
  if (std::filesystem::file_size(file, unknown) > kMostSent || unknown) return false;
  std::string bytes = read_file(file, kMostSent);
  const char* type = shown_type(picture_format(std::as_bytes(std::span(bytes))));
  if (type == nullptr) return false;
  stated_size(std::as_bytes(std::span(bytes)));
  response.set_content(std::move(bytes), type);
  return true;
}

int size_of(const HttpRequest& request) {
  const UrlFields fields = url_fields(request.query);
  const auto given = std::ranges::find(fields, "size", &UrlFields::value_type::first);
  const std::string text = given == fields.end() ? "256" : given->second;
  if (text == "full") return 0;
  const bool digits = text.size() <= 4 && text.find_first_not_of("0123456789") == std::string::npos;
  const int size = digits && !text.empty() ? std::stoi(text) : 0;
  if (size < 16 || size > 2048) {
    throw HttpError(400, "size: no such size (expected 16 to 2048, or full)");
  }
  return size;
}

}  // namespace

void Api::search(const Asked& asked, HttpResponse& response) {
  const SearchRequest search = search_request(asked.request);
  Question shared = shared_question(search.fields);
  shared.details = true;
  shared.most_compared = search.most_compared;
  ordered_json answers = ordered_json::array();
  for (const Answer& answer : asked.index.collection.ask(search.fields.sentences, shared,
                                                         {.translate = search.fields.translate})) {
    answers.push_back(answer_json(answer, access_.pass()));
  }
  send_json(response, search.list ? answers : answers[0]);
}

void Api::embeddings(const Asked& asked, HttpResponse& response) {
  const EmbeddingRequest given =
      read_embedding_request(asked.request.body, asked.index.collection.facts().dim);
  std::vector<std::string> sentences;
  for (const EmbeddingInput& input : given.inputs) {
    const auto* sentence = std::get_if<std::string>(&input);
    if (sentence == nullptr) {
      throw HttpError(400, "input: a picture (expected sentences; `hinny serve MODEL` takes both)");
    }
    sentences.push_back(*sentence);
  }
  Embeddings embeddings = asked.index.collection.embed(sentences, given.language);
  std::vector<Embedding> all;
  for (Embeddings::Item& item : embeddings.items) {
    all.push_back({std::move(item.vector), item.words});
  }
  send_embeddings(response, embeddings.model, all, given.base64);
}

void Api::image(const Asked& asked, HttpResponse& response) {
  const std::string id = id_of(asked.address);
  const std::string file = asked.index.collection.file_of(id);
  const int size = size_of(asked.request);
  if (file.empty()) throw HttpError(404, "this image has no file");
  const Thumbnails::Of picture{file, frame_moment(id, file)};
  const std::string tag = Thumbnails::tag(picture, size);
  if (has_already(asked.request, response, tag, "private, max-age=300")) return;
  try {
    if (size == 0 && !picture.moment && send_whole(file, response)) return;
    constexpr int kLongestJpeg = 65500;
    const int longest = size == 0 ? kLongestJpeg : size;
    response.set_content(*thumbnails_.get(picture, longest), "image/jpeg");
  } catch (const InputError& error) {  // its message names the file
    print_line(stderr, "picture '{}': {}\n", id, error.what());
    throw HttpError(404, "the image's file is missing or is no picture");
  }
}

void Api::film(const Asked& asked, HttpResponse& response) {
  const std::string id = id_of(asked.address);
  const std::string file = asked.index.collection.file_of(id);
  if (!frame_moment(id, file)) throw HttpError(404, "this image is no frame of a film");
  try {
    send_file(asked.request, response, file, film_type(file));
  } catch (const InputError& error) {
    print_line(stderr, "film '{}': {}\n", id, error.what());
    throw HttpError(404, "the film's file is missing");
  }
}

void Api::sentences(const Asked& asked, HttpResponse& response) {
  const SentencesRequest given = sentences_from_url(url_fields(asked.request.query));
  ordered_json sentences = ordered_json::array();
  for (const SentenceHit& hit : asked.index.collection.stored_sentences(given.image, given.k)) {
    sentences.push_back(
        {{"language", hit.language}, {"text", hit.text}, {"score", shown_score(hit.score)}});
  }
  send_json<ordered_json>(response, {{"image", given.image}, {"sentences", sentences}});
}

void Api::collection(const Asked& asked, HttpResponse& response) {
  const CollectionFacts facts = asked.index.collection.facts();
  ordered_json json = {
      {"name", asked.index.name},     {"images", facts.images},
      {"languages", facts.languages}, {"asks_with_pictures", facts.asks_with_pictures},
      {"explains", facts.explains},   {"translates", facts.translates},
      {"times", facts.times},         {"places", facts.places},
      {"sizes", facts.sizes},         {"cameras", facts.cameras},
      {"lenses", facts.lenses},       {"towns", facts.towns},
      {"films", facts.films},         {"dim", facts.dim},
      {"model", facts.model}};
  if (facts.expected > 0) json["expected"] = facts.expected;
  send_json(response, json);
}

void Api::indexes(const Asked& asked, HttpResponse& response) {
  ordered_json all = ordered_json::array();
  for (const auto& [name, collection] : indexes_) {
    all.push_back({{"name", name},
                   {"url", page_of_index(name, asked.address)},
                   {"images", collection.facts().images}});
  }
  send_json<ordered_json>(response, {{"indexes", std::move(all)}});
}

void Api::health(const Asked& asked, HttpResponse& response) {
  if (metrics_.queued >= static_cast<std::int64_t>(waiting_)) {
    response.set_header("Retry-After", "1");
    throw HttpError(503, "too much to do");
  }
  for (const NamedIndex& index : indexes_) {
    if (!asked.address.index || index.name == *asked.address.index) index.collection.check();
  }
  send_json<ordered_json>(response, {{"status", "ok"}});
}

void Api::metrics(const Asked&, HttpResponse& response) {
  response.set_content(metrics_.text(), "text/plain; version=0.0.4; charset=utf-8");
}

void Api::asset(const Asked& asked, HttpResponse& response) {
  const std::string& path = asked.address.path;
  send_asset(asked.request, response, path == "/" ? std::string(kFrontPage) : path.substr(1));
}

void Api::unknown_index(const Asked& asked, HttpResponse&) {
  std::vector<std::string_view> names;
  for (const NamedIndex& index : indexes_) names.push_back(index.name);
  const std::string name = asked.address.index->substr(0, 100);
  throw HttpError(404, fmt::format("no index '{}'{} (expected one of {})", name,
                                   did_you_mean(name, names), fmt::join(names, ", ")));
}

// What the page asks for is seen from behind the slash.
void Api::to_folder(const Asked& asked, HttpResponse& response) {
  const std::string& query = asked.request.query;
  response.status = 308;
  response.set_header("Location", fmt::format("{}/{}{}", url_encoded(*asked.address.index),
                                              query.empty() ? "" : "?", query));
}

}  // namespace hinny
