// What must be known of a request before its body is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace hinny {

struct RequestHead {
  std::size_t size = 0;  // up to and with the empty line
  std::size_t body_size = 0;
  bool expects_continue = false;
  bool urgent = false;   // asks how the server is
  bool no_body = false;  // HEAD: the answer has none
};

// The head at the start of `bytes`, or nothing while it is not whole. Throws HttpError: 400, as
// soon as it shows, for what is no HTTP/1, 505 and 501 for its other versions and methods; 431 when
// it is longer than `most_head`, 413 for a body longer than `most_body`, 411, 415 and 400 for a
// body whose length is not stated plainly. In place, headers that ask for what this server does not
// do (ranges, compression, 100-continue, which the caller sends) are made unknown ones, and an
// absolute address becomes a path, its host the header's.
std::optional<RequestHead> read_head(std::string& bytes, std::size_t most_head,
                                     std::size_t most_body);

}  // namespace hinny
