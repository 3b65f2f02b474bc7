// Who may ask what, whatever is served.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/exchange.h"

namespace hinny {

// What stands behind a URL.
struct Place {
  std::string name;     // for the log and the metrics
  std::string methods;  // "GET", "POST" or both
  bool open = false;    // needs no key
};

// Safe to use from several threads.
class Access {
 public:
  // `key`: "" lets everyone of this machine ask.
  explicit Access(std::string key);

  // The place's route, which first throws HttpError: 405, 401 without the key, 400 without a Host,
  // 403 for one that is not this machine when there is no key (a page elsewhere could have its name
  // lead here). Answers OPTIONS itself. The place must outlive it.
  Route route(const Place& place,
              std::function<void(const HttpRequest&, HttpResponse&)> answer) const;

  // What stands for the key in the addresses of films, as a browser's player sends none; "" without
  // a key. It opens these addresses alone, until this program ends.
  const std::string& pass() const { return pass_; }
  bool is_pass(std::string_view given) const;

 private:
  void check_host(const HttpRequest& request) const;
  void check_right(const HttpRequest& request, const Place& place, HttpResponse& response) const;
  std::string key_, pass_;
};

}  // namespace hinny
