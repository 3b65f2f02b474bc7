// The handlers of the URLs: docs/http-api.md.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "index/asking/collection.h"
#include "server/access.h"
#include "server/exchange.h"
#include "server/index_names.h"
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
  // The first of the indexes, of which there is one at least, is asked where an address names none.
  Api(std::vector<NamedIndex> indexes, const Metrics& metrics, const ApiOptions& options);

  // Throws HttpError: 404, and what Access::route throws.
  Route find(const HttpRequest& request);

 private:
  // A request, what its address says, and to which index that leads.
  struct Asked {
    const HttpRequest& request;
    const Address& address;
    const NamedIndex& index;
  };
  using Handler = void (Api::*)(const Asked&, HttpResponse&);
  struct Answered {
    Place place;
    Handler answer = nullptr;
  };
  static const std::map<std::string, Answered>& places();
  static const Answered* place_of(const Address& address);
  // Of a picture's path, or a film's, the place that it lies in; "" of others.
  static std::string_view folder_of(std::string_view path);
  // The image that such an address names.
  static std::string id_of(const Address& address);
  bool has_pass(const HttpRequest& request) const;

  void search(const Asked& asked, HttpResponse& response);
  void embeddings(const Asked& asked, HttpResponse& response);
  void image(const Asked& asked, HttpResponse& response);
  void film(const Asked& asked, HttpResponse& response);
  void sentences(const Asked& asked, HttpResponse& response);
  void collection(const Asked& asked, HttpResponse& response);
  void indexes(const Asked& asked, HttpResponse& response);
  void health(const Asked& asked, HttpResponse& response);
  void metrics(const Asked& asked, HttpResponse& response);
  void asset(const Asked& asked, HttpResponse& response);
  void unknown_index(const Asked& asked, HttpResponse& response);
  void to_folder(const Asked& asked, HttpResponse& response);

  std::vector<NamedIndex> indexes_;
  const Metrics& metrics_;
  Access access_;
  std::size_t waiting_;
  Thumbnails thumbnails_;
};

}  // namespace hinny
