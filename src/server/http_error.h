// A request that is answered with an error.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "server/http_message.h"

namespace hinny {

// `message` is for the one who asked: it names no path of this machine.
class HttpError : public std::runtime_error {
 public:
  HttpError(int status, const std::string& message)
      : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

// {"error":{"message":...,"type":...}}, whatever bytes the message holds.
std::string error_json(int status, std::string_view message);

// The same as a response; a 503 says when to come again.
HttpResponse error_response(int status, std::string_view message);

}  // namespace hinny
