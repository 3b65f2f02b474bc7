#include "server/embedding_api.h"

#include <fmt/format.h>

#include <span>

#include "server/assets.h"
#include "server/http_error.h"
#include "server/json_response.h"
#include "server/predict_request.h"
#include "server/static_response.h"
#include "vision/picture.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

constexpr const char* kText = "text/plain; charset=utf-8";

}  // namespace

EmbeddingApi::EmbeddingApi(const Embedder& embedder, const Metrics& metrics,
                           const EmbeddingApiOptions& options)
    : embedder_(embedder),
      metrics_(metrics),
      access_(options.key),
      name_(options.name),
      waiting_(options.waiting) {}

const std::map<std::string, EmbeddingApi::Answered>& EmbeddingApi::places() {
  static const std::map<std::string, Answered> all = {
      {"/v1/embeddings", {{"embeddings", "POST"}, &EmbeddingApi::embeddings}},
      {"/v1/models", {{"models", "GET"}, &EmbeddingApi::models}},
      {"/predict", {{"predict", "POST"}, &EmbeddingApi::predict}},
      {"/ping", {{"ping", "GET", true}, &EmbeddingApi::ping}},
      {"/health", {{"health", "GET", true}, &EmbeddingApi::health}},
      {"/metrics", {{"metrics", "GET"}, &EmbeddingApi::metrics}},
      {"/openapi.json", {{"openapi", "GET", true}, &EmbeddingApi::openapi}},
      {"/", {{"about", "GET", true}, &EmbeddingApi::about}},
  };
  return all;
}

Route EmbeddingApi::find(const HttpRequest& request) {
  const auto found = places().find(request.path);
  if (found == places().end()) {
    throw HttpError(404, "there is nothing here: a model without a collection (see openapi.json)");
  }
  const Answered& answered = found->second;
  return access_.route(answered.place,
                       [this, &answered](const HttpRequest& asked, HttpResponse& response) {
                         (this->*answered.answer)(asked, response);
                       });
}

void EmbeddingApi::embeddings(const HttpRequest& request, HttpResponse& response) {
  EmbeddingRequest asked = read_embedding_request(request.body, embedder_.config().dim);
  send_embeddings(response, name_, embedder_.embed(std::move(asked.inputs), asked.language),
                  asked.base64);
}

void EmbeddingApi::models(const HttpRequest&, HttpResponse& response) {
  const ModelConfig& config = embedder_.config();
  const ordered_json model = {{"id", name_},
                              {"object", "model"},
                              {"created", 0},
                              {"owned_by", "hinny"},
                              {"dimension", config.dim},
                              {"languages", config.languages},
                              {"system", config.system},
                              {"hash", embedder_.hash()}};
  send_json<ordered_json>(response, {{"object", "list"}, {"data", ordered_json::array({model})}});
}

void EmbeddingApi::predict(const HttpRequest& request, HttpResponse& response) {
  PredictRequest asked = read_predict_request(request.body, request.header("content-type"));
  FloatJson answer;
  std::string language = asked.language;
  if (const auto* sentence = std::get_if<std::string>(&asked.input)) {
    // The language is that of the page, on which people may ask in another one.
    language = embedder_.guessed_language(*sentence, language);
  } else {
    const std::string& bytes = std::get<PictureBytes>(asked.input).bytes;
    const PictureSize size = stated_size(std::as_bytes(std::span(bytes)));
    answer = {{"imageHeight", size.height}, {"imageWidth", size.width}};
  }
  std::vector<EmbeddingInput> inputs;
  inputs.push_back(std::move(asked.input));
  // The vector is a string, which the photo server hands to its database as it is.
  const auto embeddings = embedder_.embed(std::move(inputs), language);
  answer["clip"] = FloatJson(embeddings.front().vector).dump();
  send_json(response, answer);
}

void EmbeddingApi::ping(const HttpRequest&, HttpResponse& response) {
  response.set_content("pong", kText);
}

void EmbeddingApi::health(const HttpRequest&, HttpResponse& response) {
  if (metrics_.queued >= static_cast<std::int64_t>(waiting_)) {
    response.set_header("Retry-After", "1");
    throw HttpError(503, "too much to do");
  }
  send_json<ordered_json>(response, {{"status", "ok"}});
}

void EmbeddingApi::metrics(const HttpRequest&, HttpResponse& response) {
  response.set_content(metrics_.text(), "text/plain; version=0.0.4; charset=utf-8");
}

void EmbeddingApi::openapi(const HttpRequest& request, HttpResponse& response) {
  send_asset(request, response, std::string(kEmbeddingDescription));
}

void EmbeddingApi::about(const HttpRequest&, HttpResponse& response) {
  response.set_content(
      fmt::format("Hinny: the model '{}' as an embedding service, {} numbers a vector.\n"
                  "POST /v1/embeddings turns sentences and pictures into vectors; the rest is in "
                  "/openapi.json.\n",
                  name_, embedder_.config().dim),
      kText);
}

}  // namespace hinny
