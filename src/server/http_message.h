// A request and its response as HTTP means them (RFC 9110), without sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_calls.h"

namespace hinny {

// Headers in their order: name and value.
using HttpFields = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method;  // a token of RFC 9110, such as "GET"
  std::string target;  // as it was sent
  std::string path;    // decoded: any bytes; "/..." unless the client asked for something odd
  std::string query;   // what follows the '?', for url_fields
  int minor_version = 1;
  HttpFields headers;  // names in lower case, values without the spaces around them
  std::string body;
  std::string client;  // its address

  // The value of the first header of that name (in lower case), "" when there is none.
  std::string header(std::string_view name) const;
  std::size_t header_count(std::string_view name) const;
};

// So many bytes of an open file.
struct FilePart {
  std::shared_ptr<const OpenFile> file{};
  std::uint64_t offset = 0, size = 0;
};

struct HttpResponse {
  int status = 200;
  HttpFields headers;
  std::string body;
  FilePart file{};  // the body, where it is not empty: read while it is sent

  // In place of one of the same name. Neither may hold a line's end.
  void set_header(std::string_view name, std::string value);
  void set_content(std::string bytes, std::string type);
};

struct ConnectionAfter {
  bool close = false;
  // To a client of HTTP/1.0, which takes it for closed where nothing is said.
  bool say_open = false;
  int idle_seconds = 0;  // for so long it stays open
};

// The whole response but for a file, with the headers that every response has. `to_head`: it says
// how long its body is, which is not sent.
std::string response_bytes(const HttpResponse& response, bool to_head,
                           const ConnectionAfter& after);

}  // namespace hinny
