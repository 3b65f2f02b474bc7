// A request that is answered with an error.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

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

// A whole response, for requests that are refused before they are understood.
std::string error_response(int status, std::string_view message, bool close);

}  // namespace hinny
