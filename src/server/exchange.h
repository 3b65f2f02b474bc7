// A request -> its response: what every answer has in common.
#pragma once

#include <functional>
#include <string>

#include "server/http_message.h"
#include "server/metrics.h"

namespace hinny {

// What stands behind the URLs.
struct Route {
  std::string name;  // for the log and the metrics
  // Throws HttpError and RequestError for what the client did wrong (UnknownImage is a 404);
  // anything else is the server's fault.
  std::function<void(const HttpRequest& request, HttpResponse& response)> answer;
};

// Safe to use from several threads. Gives each request an id, turns exceptions into error
// responses, writes one line a request to stderr, and counts.
class Exchange {
 public:
  // Throws HttpError.
  using FindRoute = std::function<Route(const HttpRequest&)>;
  // `metrics` must outlive it.
  Exchange(FindRoute find, Metrics& metrics, bool log);

  HttpResponse answer(const HttpRequest& request) const;

 private:
  // -> the route's name
  std::string dispatch(const HttpRequest& request, const std::string& id,
                       HttpResponse& response) const;
  FindRoute find_;
  Metrics& metrics_;
  bool log_;
};

}  // namespace hinny
