// The handlers of the URLs: docs/http-api.md.
#pragma once

#include <map>
#include <string>

#include "index/asking/collection.h"
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
  Api(const Collection& collection, const Metrics& metrics, ApiOptions options);

  // Throws HttpError: 404, 405, 401 without the key, 400 without a Host, 403 for one that is not
  // this machine when there is no key (a page elsewhere could have its name lead here).
  Route find(const HttpRequest& request);

 private:
  using Handler = void (Api::*)(const HttpRequest&, HttpResponse&);
  struct Place {
    std::string name;
    std::string methods;  // "GET", "POST" or both
    bool open = false;    // needs no key
    Handler answer = nullptr;
  };
  static const std::map<std::string, Place>& places();
  // The id, or "" where the path is no picture's.
  static std::string image_of(const HttpRequest& request);
  void check_host(const HttpRequest& request) const;
  void check_right(const HttpRequest& request, const Place& place, HttpResponse& response) const;

  void search(const HttpRequest& request, HttpResponse& response);
  void embeddings(const HttpRequest& request, HttpResponse& response);
  void image(const HttpRequest& request, HttpResponse& response);
  void sentences(const HttpRequest& request, HttpResponse& response);
  void collection(const HttpRequest& request, HttpResponse& response);
  void health(const HttpRequest& request, HttpResponse& response);
  void metrics(const HttpRequest& request, HttpResponse& response);
  void asset(const HttpRequest& request, HttpResponse& response);

  const Collection& collection_;
  const Metrics& metrics_;
  ApiOptions options_;
  Thumbnails thumbnails_;
};

}  // namespace hinny
