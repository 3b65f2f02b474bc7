// The answers themselves; who may ask what is in api.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/path_text.h"
#include "base/read_file.h"
#include "base/terminal_text.h"
#include "server/api.h"
#include "server/assets.h"
#include "server/base64.h"
#include "server/http_error.h"
#include "server/search_request.h"
#include "server/url_text.h"
#include "vision/picture.h"

namespace hinny {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Writes a float with as many digits as it has.
using FloatJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                       std::int64_t, std::uint64_t, float>;

template <typename Json>
void send(HttpResponse& response, const Json& json) {
  response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace),
                       "application/json");
  response.set_header("Cache-Control", "no-store");
}

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

// With If-None-Match, 304 when the client has it already; else false.
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

// Seen from the answer's own address, /v1/search: a proxy may have put a path before that.
std::string url_of(const std::string& id) { return "image/" + url_encoded(id); }

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

ordered_json result_json(const Found& found) {
  ordered_json result = {{"image", found.image}};
  if (!found.file.empty()) result["url"] = url_of(found.image);
  if (!found.below.empty()) {  // where the folder is, is not told
    result["file"] = path_text(found.below);
    result["relative_file"] = path_text(found.below);  // as `hinny search --json` calls it
  }
  result["score"] = shown_score(found.score);
  if (!found.taken.empty()) result["taken"] = found.taken;
  if (!found.taken_from.empty()) result["taken_from"] = found.taken_from;
  for (const Found& copy : found.copies) result["copies"].push_back(result_json(copy));
  if (found.explanation) result["explanation"] = as_json(*found.explanation);
  return result;
}

ordered_json answer_json(const Answer& answer) {
  ordered_json json = {{"query", answer.sentence}};
  if (!answer.sentence.empty()) json["language"] = answer.texts.front().language;
  json["understood"] = ordered_json::array();
  for (const Understood& text : answer.texts) json["understood"].push_back(understood_json(text));
  json["results"] = ordered_json::array();
  for (const Found& found : answer.found) json["results"].push_back(result_json(found));
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

// null is what some clients send for a field that is not set.
std::string optional_text(const json& body, const char* name, const char* unset) {
  const json value = body.value(name, json());
  if (value.is_null()) return unset;
  if (value.is_string()) return value.get<std::string>();
  throw HttpError(400, fmt::format("{}: {} (expected a string)", name, value.type_name()));
}

void check_dimensions(const json& body, std::size_t dim) {
  const json value = body.value("dimensions", json());
  if (value.is_null() || (value.is_number() && value == dim)) return;
  throw HttpError(
      400, fmt::format("dimensions: {} (expected {}, which this model's vectors have; they cannot "
                       "be shortened)",
                       value.is_number() ? value.dump() : value.type_name(), dim));
}

// OpenAI's own client sends tokens of OpenAI's models when it is told to count them.
void check_no_tokens(const json& input) {
  const auto is_tokens = [](const json& item) {
    return item.is_number() ||
           (item.is_array() && !item.empty() && std::ranges::all_of(item, &json::is_number));
  };
  if (!input.is_array() || std::ranges::none_of(input, is_tokens)) return;
  throw HttpError(400,
                  "input: tokens of another model (expected a string or a list of strings; "
                  "LangChain: check_embedding_ctx_length=False)");
}

// What every browser shows, as it is; nullptr for other formats.
const char* shown_type(PictureFormat format) {
  switch (format) {
    case PictureFormat::jpeg:
      return "image/jpeg";
    case PictureFormat::png:
      return "image/png";
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

const char* type_of(const std::string& name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/json";
}

}  // namespace

void Api::search(const HttpRequest& request, HttpResponse& response) {
  const SearchRequest asked = search_request(request);
  Question shared = shared_question(asked.fields);
  shared.details = true;
  shared.most_compared = asked.most_compared;
  ordered_json answers = ordered_json::array();
  for (const Answer& answer :
       collection_.ask(asked.fields.sentences, shared, {.translate = asked.fields.translate})) {
    answers.push_back(answer_json(answer));
  }
  send(response, asked.list ? answers : answers[0]);
}

void Api::embeddings(const HttpRequest& request, HttpResponse& response) {
  constexpr std::size_t kMostInputs = 256;
  const json body = parse_json(request.body);
  if (!body.contains("input")) throw HttpError(400, "input is missing");
  const std::string format = optional_text(body, "encoding_format", "float");
  if (format != "float" && format != "base64") {
    throw HttpError(
        400, fmt::format("encoding_format: '{}' (expected float or base64)", format.substr(0, 40)));
  }
  check_dimensions(body, collection_.facts().dim);
  const std::string language = optional_text(body, "lang", "");
  check_no_tokens(body["input"]);
  const std::vector<std::string> texts = strings_of("input", body["input"], kMostInputs);
  for (const std::string& text : texts) check_text("input", text);
  const Embeddings embeddings = collection_.embed(texts, language);
  FloatJson data = FloatJson::array();
  std::size_t words = 0;
  for (const Embeddings::Item& item : embeddings.items) {
    words += item.words;
    FloatJson embedding = item.vector;
    if (format == "base64") {  // what OpenAI's own client asks for: little-endian floats
      embedding = to_base64(
          {reinterpret_cast<const char*>(item.vector.data()), item.vector.size() * sizeof(float)});
    }
    data.push_back({{"object", "embedding"}, {"index", data.size()}, {"embedding", embedding}});
  }
  send<FloatJson>(response, {{"object", "list"},
                             {"data", data},
                             {"model", embeddings.model},
                             {"usage", {{"prompt_tokens", words}, {"total_tokens", words}}}});
}

void Api::image(const HttpRequest& request, HttpResponse& response) {
  const std::string id = image_of(request);
  const std::string file = collection_.file_of(id);
  const int size = size_of(request);
  if (file.empty()) throw HttpError(404, "this image has no file");
  if (has_already(request, response, Thumbnails::tag(file, size), "private, max-age=300")) return;
  try {
    if (size == 0 && send_whole(file, response)) return;
    constexpr int kLongestJpeg = 65500;
    const int longest = size == 0 ? kLongestJpeg : size;
    response.set_content(*thumbnails_.get(file, longest), "image/jpeg");
  } catch (const InputError& error) {  // its message names the file
    print_line(stderr, "picture '{}': {}\n", id, error.what());
    throw HttpError(404, "the image's file is missing or is no picture");
  }
}

void Api::sentences(const HttpRequest& request, HttpResponse& response) {
  const SentencesRequest asked = sentences_from_url(url_fields(request.query));
  ordered_json sentences = ordered_json::array();
  for (const SentenceHit& hit : collection_.stored_sentences(asked.image, asked.k)) {
    sentences.push_back(
        {{"language", hit.language}, {"text", hit.text}, {"score", shown_score(hit.score)}});
  }
  send<ordered_json>(response, {{"image", asked.image}, {"sentences", sentences}});
}

void Api::collection(const HttpRequest&, HttpResponse& response) {
  const CollectionFacts facts = collection_.facts();
  send<ordered_json>(response, {{"images", facts.images},
                                {"languages", facts.languages},
                                {"asks_with_pictures", facts.asks_with_pictures},
                                {"explains", facts.explains},
                                {"translates", facts.translates},
                                {"times", facts.times},
                                {"dim", facts.dim},
                                {"model", facts.model}});
}

void Api::health(const HttpRequest&, HttpResponse& response) {
  if (metrics_.queued >= static_cast<std::int64_t>(options_.waiting)) {
    response.set_header("Retry-After", "1");
    throw HttpError(503, "too much to do");
  }
  collection_.check();
  send<ordered_json>(response, {{"status", "ok"}});
}

void Api::metrics(const HttpRequest&, HttpResponse& response) {
  response.set_content(metrics_.text(), "text/plain; version=0.0.4; charset=utf-8");
}

void Api::asset(const HttpRequest& request, HttpResponse& response) {
  const std::string name = request.path == "/" ? std::string(kFrontPage) : request.path.substr(1);
  const std::string_view bytes = assets().at(name);
  if (has_already(request, response, content_hash(bytes), "no-cache")) return;
  response.set_content(std::string(bytes), type_of(name));
}

}  // namespace hinny
