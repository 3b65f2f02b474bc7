// Whatever a client sends, it is understood or refused with an HttpError: as a head, a JSON body or
// a form. A head is the same however its bytes come, and what is answered is one response.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "server/embedding_request.h"
#include "server/exchange.h"
#include "server/http_error.h"
#include "server/predict_request.h"
#include "server/request_head.h"
#include "server/search_request.h"
#include "server/url_text.h"

namespace {

template <typename Read>
void refused_or_read(const Read& read) {
  try {
    read();
  } catch (const hinny::HttpError&) {
  }
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::optional<hinny::RequestHead> head_of(std::string_view bytes) {
  constexpr std::size_t kMostHead = 1024;
  constexpr std::size_t kMostBody = 4096;
  return hinny::read_head(bytes, kMostHead, kMostBody);
}

// One response, whose headers are lines of their own: its answer repeats what was asked.
void check_response(const hinny::HttpRequest& request) {
  static hinny::Metrics metrics;
  static const hinny::Exchange exchange(
      [](const hinny::HttpRequest& asked) -> hinny::Route {
        for (const auto& [name, value] : hinny::url_fields(asked.query)) {
          if (name == "q") hinny::check_text(name, value);
        }
        throw hinny::HttpError(404, asked.path);
      },
      metrics, false);
  const std::string bytes = hinny::response_bytes(exchange.answer(request), false, {});
  const std::size_t end = bytes.find("\r\n\r\n");
  require(end != std::string::npos, "a response without an end of its headers");
  std::size_t lines = 0;
  for (std::size_t at = 0; at < end; ++at) {
    require(bytes[at] == '\r' || bytes[at] == '\n' || (bytes[at] >= ' ' && bytes[at] <= '~'),
            "a header of odd bytes");
    lines += bytes[at] == '\n' ? 1 : 0;
  }
  constexpr std::size_t kLines = 11;
  require(lines == kLines, "another number of headers");
  require(bytes.find(fmt::format("\r\nContent-Length: {}\r\n", bytes.size() - end - 4)) < end,
          "a response not as long as it says");
}

void check_head(std::string_view all) {
  const auto head = head_of(all);
  if (!head) return;
  require(head->size <= all.size() && head->body_size <= 4096, "longer than it may be");
  require(head->request.header_count("transfer-encoding") == 0, "chunks");
  require(head->request.header_count("content-length") <= 1, "two lengths");
  require(all.substr(0, head->size).ends_with("\r\n\r\n"), "an end that is none");
  constexpr std::size_t kFew = 256;  // each beginning is read anew
  for (std::size_t size = head->size > kFew ? head->size - 1 : 0; size < head->size; ++size) {
    require(!head_of(all.substr(0, size)), "whole before its end");
  }
  const auto alone = head_of(all.substr(0, head->size));
  require(alone && alone->size == head->size && alone->body_size == head->body_size &&
              alone->request.path == head->request.path &&
              alone->request.headers == head->request.headers,
          "another head without what follows it");
  check_response(head->request);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  refused_or_read([&] { check_head(all); });
  refused_or_read([&] { hinny::search_from_json(all); });
  refused_or_read(
      [&] { hinny::search_from_form(all, "multipart/form-data; boundary=\"a boundary\""); });
  constexpr std::size_t kDim = 6;
  refused_or_read([&] { hinny::read_embedding_request(all, kDim); });
  refused_or_read(
      [&] { hinny::read_predict_request(all, "multipart/form-data; boundary=\"a boundary\""); });
  refused_or_read([&] { hinny::read_predict_request(all, "application/x-www-form-urlencoded"); });
  return 0;
}
