// The kind of wrong input that is no broken file: what was asked.
#pragma once

#include <string_view>

#include "base/error.h"

namespace hinny {

// A question, or a picture that came with it, is wrong, whatever Hinny's own files hold. Over HTTP
// this is the client's fault (400) and any other InputError the server's (500); on the command line
// both end with exit code 2. The message is for the one who asks: it names no path of this machine.
class RequestError : public InputError {
 public:
  explicit RequestError(std::string_view what, std::string_view expected = {})
      : InputError(what, expected) {}
};

}  // namespace hinny
