// The handlers of the URLs: docs/http-api.md.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "index/asking/collection.h"
#include "server/access.h"
#include "server/exchange.h"
#include "server/metrics.h"
#include "server/thumbnails.h"

namespace hinny {

struct ApiOptions {
  std::string key;           // "" lets everyone ask
  std::size_t waiting = 64;  // with so many in the queue the server is not healthy
  std::size_t cache = std::size_t{64} << 20U;  // bytes of thumbnails
};

// Safe to use from several threads. What it refers to must outlive it.
class Api {
 public:
  Api(const Collection& collection, const Metrics& metrics, const ApiOptions& options);

  // Throws HttpError: 404, and what Access::route throws.
  Route find(const HttpRequest& request);

 private:
  using Handler = void (Api::*)(const HttpRequest&, HttpResponse&);
  struct Answered {
    Place place;
    Handler answer = nullptr;
  };
  static const std::map<std::string, Answered>& places();
  // Of a picture's path, or a film's, the place that it lies in; "" of others.
  static std::string_view folder_of(std::string_view path);
  // The image that such a path names.
  static std::string id_of(const HttpRequest& request);
  bool has_pass(const HttpRequest& request) const;

  void search(const HttpRequest& request, HttpResponse& response);
  void embeddings(const HttpRequest& request, HttpResponse& response);
  void image(const HttpRequest& request, HttpResponse& response);
  void film(const HttpRequest& request, HttpResponse& response);
  void sentences(const HttpRequest& request, HttpResponse& response);
  void collection(const HttpRequest& request, HttpResponse& response);
  void health(const HttpRequest& request, HttpResponse& response);
  void metrics(const HttpRequest& request, HttpResponse& response);
  void asset(const HttpRequest& request, HttpResponse& response);

  const Collection& collection_;
  const Metrics& metrics_;
  Access access_;
  std::size_t waiting_;
  Thumbnails thumbnails_;
};

}  // namespace hinny
