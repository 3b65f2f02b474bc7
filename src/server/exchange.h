// The bytes of a request -> its parts -> the bytes of the response, by cpp-httplib.
#pragma once

#include <httplib.h>

#include <functional>

#include "server/http_server.h"
#include "server/metrics.h"

namespace hinny {

// What stands behind the URLs.
struct Route {
  std::string name;  // for the log and the metrics
  // Throws HttpError and RequestError for what the client did wrong (UnknownImage is a 404);
  // anything else is the server's fault.
  std::function<void(const httplib::Request& request, httplib::Response& response)> answer;
};

// Safe to use from several threads. Gives each request an id, adds the headers that every response
// has, turns exceptions into error responses, writes one line a request to stderr, and counts.
// httplib neither reads bodies nor routes here: bodies come whole, and its routes and multipart
// reader use std::regex, whose time and stack grow with what the client sends.
class Exchange : private httplib::Server {
 public:
  using FindRoute = std::function<Route(const httplib::Request&)>;
  // `metrics` must outlive it.
  Exchange(FindRoute find, Metrics& metrics, bool log);

  RawResponse answer(RawRequest raw);

 private:
  void dispatch(const httplib::Request& request, httplib::Response& response);
  FindRoute find_;
  Metrics& metrics_;
  bool log_;
};

}  // namespace hinny
