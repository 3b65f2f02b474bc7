// The handlers of the URLs of a server that has a model and no collection: docs/embeddings.md.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "server/access.h"
#include "server/embedder.h"
#include "server/exchange.h"
#include "server/metrics.h"

namespace hinny {

struct EmbeddingApiOptions {
  std::string name;          // of the model, for clients
  std::string key;           // "" lets everyone of this machine ask
  std::size_t waiting = 64;  // with so many in the queue the server is not healthy
};

// Safe to use from several threads. What it refers to must outlive it.
class EmbeddingApi {
 public:
  EmbeddingApi(const Embedder& embedder, const Metrics& metrics,
               const EmbeddingApiOptions& options);

  // Throws HttpError: 404, and what Access::route throws.
  Route find(const HttpRequest& request);

 private:
  using Handler = void (EmbeddingApi::*)(const HttpRequest&, HttpResponse&);
  struct Answered {
    Place place;
    Handler answer = nullptr;
  };
  static const std::map<std::string, Answered>& places();

  void embeddings(const HttpRequest& request, HttpResponse& response);
  void models(const HttpRequest& request, HttpResponse& response);
  void predict(const HttpRequest& request, HttpResponse& response);
  void ping(const HttpRequest& request, HttpResponse& response);
  void health(const HttpRequest& request, HttpResponse& response);
  void metrics(const HttpRequest& request, HttpResponse& response);
  void openapi(const HttpRequest& request, HttpResponse& response);
  void about(const HttpRequest& request, HttpResponse& response);

  const Embedder& embedder_;
  const Metrics& metrics_;
  Access access_;
  std::string name_;
  std::size_t waiting_;
};

}  // namespace hinny
