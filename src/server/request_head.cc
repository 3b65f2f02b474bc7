#include "server/request_head.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

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

// A character of a method or of a header's name.
bool is_token(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kMarks.find(c) != std::string_view::npos;
}

[[noreturn]] void refuse_line() { throw HttpError(400, "not an HTTP request"); }

// The length of the first line, without its end, or nothing while that is not there. A client that
// speaks something else (TLS, HTTP/2) is told so as soon as it shows: it may wait for us to speak.
std::optional<std::size_t> first_line(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const std::string_view line = bytes.substr(0, end);
  const std::string_view method = line.substr(0, line.find(' '));
  constexpr std::size_t kLongestMethod = 32;
  if (method.size() > kLongestMethod || !std::ranges::all_of(method, is_token)) refuse_line();
  if (end == std::string_view::npos) return std::nullopt;
  if (!line.ends_with('\r')) refuse_line();  // also whatever ends its lines in LF alone
  return end - 1;
}

void check_first_line(std::string_view line) {
  constexpr std::array<std::string_view, 9> kMethods = {
      "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"};
  const std::size_t target = line.find(' ') + 1;
  const std::size_t end = line.rfind(' ');
  if (target <= 1 || end <= target) refuse_line();
  const std::string_view version = line.substr(end + 1);
  if (!version.starts_with("HTTP/")) refuse_line();
  if (!version.starts_with("HTTP/1.")) throw HttpError(505, "expected HTTP/1.1");
  const std::string_view method = line.substr(0, target - 1);
  if (std::ranges::find(kMethods, method) == kMethods.end()) {
    throw HttpError(501, fmt::format("no such method: {}", method));
  }
  if (line.find(' ', target) != end) refuse_line();
}

class HeadReader {
 public:
  // `line` is the length of the first.
  HeadReader(std::string& bytes, std::size_t line, std::size_t size, std::size_t most_body)
      : bytes_(bytes), most_body_(most_body) {
    for (std::size_t at = line + 2; at < size - 2;) {
      const std::size_t end = bytes.find('\n', at);
      field(at, end);
      at = end + 1;
    }
    size += make_plain(line);
    head_.size = size;
    head_.no_body = bytes.starts_with("HEAD ");
    head_.urgent = bytes.starts_with("GET /health ") || bytes.starts_with("GET /metrics ");
  }
  RequestHead head() const { return head_; }

 private:
  void field(std::size_t at, std::size_t end) {
    const std::string_view line(bytes_.data() + at, end - at);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || !line.ends_with('\r') ||
        !std::ranges::all_of(line.substr(0, colon), is_token) ||
        line.find_first_of(std::string_view("\0\r", 2)) != line.size() - 1) {
      refuse_line();
    }
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
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
    } else if (is(name, "host")) {
      host_ = {at + colon + 1, end - 1};
    }
  }

  // "GET http://localhost:8080/health" -> "GET /health", with that Host (RFC 9112, 3.2.2);
  // "//health", as proxies make it where one slash too many is configured, -> "/health". By so much
  // it is longer.
  std::size_t make_plain(std::size_t line) {
    const std::size_t before = bytes_.size();
    const std::size_t target = bytes_.find(' ') + 1;
    const std::size_t target_end = bytes_.rfind(' ', line);
    const std::string_view text(bytes_.data() + target, target_end - target);
    if (const std::size_t scheme = scheme_size(text); scheme > 0) {
      const std::size_t end = std::min(text.find_first_of("/?#", scheme), text.size());
      const std::string host(text.substr(scheme, end - scheme));
      const bool bare = end == text.size() || text[end] != '/';
      if (host_) bytes_.replace(host_->first, host_->second - host_->first, " " + host);
      bytes_.replace(target, end, bare ? "/" : "");
    }
    const std::size_t slashes = bytes_.find_first_not_of('/', target) - target;
    if (slashes > 1) bytes_.erase(target, slashes - 1);
    return bytes_.size() - before;  // modulo 2^64, as sizes add up
  }

  static std::size_t scheme_size(std::string_view target) {
    for (const std::string_view scheme : {"http://", "https://"}) {
      if (target.size() > scheme.size() &&
          ::strncasecmp(target.data(), scheme.data(), scheme.size()) == 0) {
        return scheme.size();
      }
    }
    return 0;
  }

  std::string& bytes_;
  std::size_t most_body_;
  bool seen_length_ = false;
  std::optional<std::pair<std::size_t, std::size_t>> host_;  // where the value is
  RequestHead head_;
};

}  // namespace

std::optional<RequestHead> read_head(std::string& bytes, std::size_t most_head,
                                     std::size_t most_body) {
  while (bytes.starts_with("\r\n")) bytes.erase(0, 2);  // some send one behind a body
  if (bytes == "\r") return std::nullopt;
  const auto line = first_line(bytes);
  if (line) check_first_line(std::string_view(bytes).substr(0, *line));
  const std::size_t end = bytes.find("\r\n\r\n");
  if (std::min(end, bytes.size()) > most_head) {
    throw HttpError(431, fmt::format("headers of more than {} bytes", most_head));
  }
  if (end == std::string::npos) return std::nullopt;
  return HeadReader(bytes, *line, end + 4, most_body).head();
}

}  // namespace hinny
