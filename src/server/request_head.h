// The head of a request: what must be known before the rest of it is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "server/http_message.h"

namespace hinny {

struct RequestHead {
  HttpRequest request;   // without its body and its client
  std::size_t size = 0;  // up to and with the empty line
  std::size_t body_size = 0;
  bool expects_continue = false;
  bool close = false;   // the client wants no second response from this connection
  bool urgent = false;  // asks how the server is
};

// The head at the start of `bytes`, or nothing while it is not whole; a few empty lines before it
// belong to it. An absolute address becomes a path, and its host the Host header's. Throws
// HttpError, after which nothing more can be understood of `bytes`: 400, as soon as it shows, for
// what is no HTTP/1 (RFC 9112, without what that lets a server forgive), 505 and 501 for its other
// versions and methods; 414 for an address over 8 KiB, 431 for a head longer than `most_head` or of
// more than 100 headers, 413 for a body longer than `most_body`; 411, 415 and 400 for a body whose
// length is not stated plainly.
std::optional<RequestHead> read_head(std::string_view bytes, std::size_t most_head,
                                     std::size_t most_body);

}  // namespace hinny
