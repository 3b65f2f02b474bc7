#include "server/request_head.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "server/http_error.h"

namespace hinny {
namespace {

bool is(std::string_view name, const char* wanted) {
  return name.size() == std::char_traits<char>::length(wanted) &&
         ::strncasecmp(name.data(), wanted, name.size()) == 0;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

std::size_t length_of(std::string_view value, std::size_t most) {
  std::size_t length = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (problem == std::errc::result_out_of_range) length = most + 1;
  if (end != value.data() + value.size() || problem == std::errc::invalid_argument) {
    throw HttpError(400, "Content-Length is no number");
  }
  if (length > most) throw HttpError(413, fmt::format("a body of more than {} bytes", most));
  return length;
}

class HeadReader {
 public:
  HeadReader(std::string& bytes, std::size_t size, std::size_t most_body)
      : bytes_(bytes), most_body_(most_body) {
    head_.size = size;
    const std::string_view line = std::string_view(bytes).substr(0, bytes.find('\n'));
    head_.urgent = line.starts_with("GET /health ") || line.starts_with("GET /metrics ");
    std::size_t at = line.size() + 1;
    while (at < size) {
      const std::size_t end = bytes.find('\n', at);
      field(at, end);
      at = end + 1;
    }
  }
  RequestHead head() const { return head_; }

 private:
  void field(std::size_t at, std::size_t end) {
    const std::size_t colon = bytes_.find(':', at);
    if (colon >= end) return;  // the parser refuses what is no header
    const std::string_view name(bytes_.data() + at, colon - at);
    const std::string_view value =
        trimmed(std::string_view(bytes_).substr(colon + 1, end - colon - 1));
    if (is(name, "content-length")) {
      if (seen_length_) throw HttpError(400, "Content-Length is stated twice");
      seen_length_ = true;
      head_.body_size = length_of(value, most_body_);
    } else if (is(name, "transfer-encoding")) {
      throw HttpError(411, "a body needs a Content-Length; chunks are not taken");
    } else if (is(name, "content-encoding") && !is(value, "identity")) {
      throw HttpError(415, "compressed bodies are not taken");
    } else if (is(name, "expect") || is(name, "range") || is(name, "accept-encoding")) {
      if (is(name, "expect")) head_.expects_continue = is(value, "100-continue");
      bytes_[at] = '-';
    }
  }

  std::string& bytes_;
  std::size_t most_body_;
  bool seen_length_ = false;
  RequestHead head_;
};

}  // namespace

std::optional<RequestHead> read_head(std::string& bytes, std::size_t most_head,
                                     std::size_t most_body) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (std::min(end, bytes.size()) > most_head) {
    throw HttpError(431, fmt::format("headers of more than {} bytes", most_head));
  }
  if (end == std::string::npos) return std::nullopt;
  return HeadReader(bytes, end + 4, most_body).head();
}

}  // namespace hinny
