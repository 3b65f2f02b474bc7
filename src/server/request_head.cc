#include "server/request_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "server/ascii_case.h"
#include "server/http_error.h"
#include "server/url_text.h"

namespace hinny {
namespace {

constexpr std::size_t kMostHeaders = 100;

[[noreturn]] void refuse_line() { throw HttpError(400, "not an HTTP request"); }

// A character of a method or of a header's name.
bool is_token(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return is_letter_or_digit(c) || kMarks.find(c) != std::string_view::npos;
}

// What may stand in an address. Letters beyond ASCII should come encoded; curl sends them as they
// are typed.
bool is_of_address(char c) {
  constexpr char kDelete = '\x7f';
  return static_cast<unsigned char>(c) > ' ' && c != kDelete;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
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

// Whether a list, such as Connection's, names `wanted` (in lower case).
bool lists(std::string_view list, std::string_view wanted) {
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    if (ascii_lower(trimmed(item)) == wanted) return true;
    list.remove_prefix(std::min(item.size() + 1, list.size()));
  }
  return false;
}

// The length of the first line, without its end, or nothing while that is not there. A client that
// speaks something else (TLS, HTTP/2) is told so as soon as it shows: it may wait for us to speak.
std::optional<std::size_t> first_line(std::string_view bytes) {
  constexpr std::size_t kLongestMethod = 32;
  constexpr std::size_t kLongestAddress = 8192;
  const std::size_t end = bytes.find('\n');
  const std::string_view line = bytes.substr(0, end);
  const std::string_view method = line.substr(0, line.find(' '));
  if (method.size() > kLongestMethod || !std::ranges::all_of(method, is_token)) refuse_line();
  const std::string_view rest = line.substr(std::min(method.size() + 1, line.size()));
  if (rest.substr(0, rest.find(' ')).size() > kLongestAddress) {
    throw HttpError(414, "a URL that is too long");
  }
  if (end == std::string_view::npos) return std::nullopt;
  if (!line.ends_with('\r')) refuse_line();  // also whatever ends its lines in LF alone
  return end - 1;
}

class HeadReader {
 public:
  explicit HeadReader(std::size_t most_body) : most_body_(most_body) {}

  // "GET /health HTTP/1.1"
  void read_first(std::string_view line) {
    constexpr std::array<std::string_view, 9> kMethods = {
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"};
    const std::size_t target = line.find(' ') + 1;
    const std::size_t end = line.rfind(' ');
    if (target <= 1 || end <= target) refuse_line();
    read_version(line.substr(end + 1));
    const std::string_view method = line.substr(0, target - 1);
    if (std::ranges::find(kMethods, method) == kMethods.end()) {
      throw HttpError(501, fmt::format("no such method: {}", method));
    }
    const std::string_view address = line.substr(target, end - target);
    if (!std::ranges::all_of(address, is_of_address)) refuse_line();
    head_.request.method = method;
    head_.request.target = address;
  }

  // A header, with the CR of its end.
  void read_field(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || !line.ends_with('\r')) refuse_line();
    line.remove_suffix(1);
    if (!std::ranges::all_of(line.substr(0, colon), is_token) ||
        line.find_first_of(std::string_view("\0\r", 2)) != std::string_view::npos) {
      refuse_line();
    }
    const std::string name = ascii_lower(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (name == "content-length") {
      if (head_.request.header_count(name) > 0) {
        throw HttpError(400, "Content-Length is stated twice");
      }
      head_.body_size = length_of(value, most_body_);
    } else if (name == "transfer-encoding") {
      throw HttpError(411, "a body needs a Content-Length; chunks are not taken");
    } else if (name == "content-encoding" && ascii_lower(value) != "identity") {
      throw HttpError(415, "compressed bodies are not taken");
    } else if (name == "expect") {
      head_.expects_continue =
          head_.request.minor_version > 0 && ascii_lower(value) == "100-continue";
    } else if (name == "connection") {
      closes_ = closes_ || lists(value, "close");
      stays_ = stays_ || lists(value, "keep-alive");
    }
    if (head_.request.headers.size() == kMostHeaders) {  // each takes more room than its bytes
      throw HttpError(431, fmt::format("more than {} headers", kMostHeaders));
    }
    head_.request.headers.emplace_back(name, value);
  }

  RequestHead head(std::size_t size) {
    HttpRequest& request = head_.request;
    head_.size = size;
    head_.close = closes_ || (request.minor_version == 0 && !stays_);
    read_address(request.target);
    head_.urgent = (request.path == "/health" || request.path == "/metrics") &&
                   (request.method == "GET" || request.method == "HEAD");
    return std::move(head_);
  }

 private:
  void read_version(std::string_view version) {
    constexpr std::string_view kOne = "HTTP/1.";
    if (!version.starts_with("HTTP/")) refuse_line();
    if (!version.starts_with(kOne)) throw HttpError(505, "expected HTTP/1.1");
    const std::string_view minor = version.substr(kOne.size());
    if (minor.size() != 1 || minor[0] < '0' || minor[0] > '9') refuse_line();
    head_.request.minor_version = minor[0] - '0';
  }

  // "http://localhost:8080/health" is "/health", with that Host (RFC 9112, 3.2.2); so is
  // "//health", as proxies make it where one slash too many is configured.
  void read_address(std::string_view address) {
    if (const std::size_t scheme = scheme_size(address); scheme > 0) {
      const std::size_t end = std::min(address.find_first_of("/?#", scheme), address.size());
      auto& headers = head_.request.headers;
      const auto host = std::ranges::find(headers, "host", &HttpFields::value_type::first);
      if (host != headers.end()) host->second = address.substr(scheme, end - scheme);
      address.remove_prefix(end);
      if (!address.starts_with('/')) head_.request.path = "/";
    }
    address = address.substr(0, address.find('#'));
    while (address.starts_with("//")) address.remove_prefix(1);
    const std::size_t query = std::min(address.find('?'), address.size());
    head_.request.path += url_decoded(address.substr(0, query));
    head_.request.query = address.substr(std::min(query + 1, address.size()));
  }

  static std::size_t scheme_size(std::string_view address) {
    for (const std::string_view scheme : {"http://", "https://"}) {
      if (address.size() > scheme.size() &&
          ascii_lower(address.substr(0, scheme.size())) == scheme) {
        return scheme.size();
      }
    }
    return 0;
  }

  std::size_t most_body_;
  bool closes_ = false;
  bool stays_ = false;
  RequestHead head_;
};

}  // namespace

std::optional<RequestHead> read_head(std::string_view bytes, std::size_t most_head,
                                     std::size_t most_body) {
  std::size_t start = 0;  // behind empty lines: some send one behind a body
  while (bytes.substr(start).starts_with("\r\n")) start += 2;
  if (start > most_head) refuse_line();
  const std::string_view rest = bytes.substr(start);
  if (rest == "\r") return std::nullopt;
  const auto line = first_line(rest);
  HeadReader reader(most_body);
  if (line) reader.read_first(rest.substr(0, *line));
  const std::size_t end = bytes.find("\r\n\r\n", start);
  if (std::min(end, bytes.size()) > most_head) {
    throw HttpError(431, fmt::format("headers of more than {} bytes", most_head));
  }
  if (end == std::string_view::npos) return std::nullopt;
  for (std::size_t at = start + *line + 2; at < end;) {
    const std::size_t lf = bytes.find('\n', at);
    reader.read_field(bytes.substr(at, lf - at));
    at = lf + 1;
  }
  return reader.head(end + 4);
}

}  // namespace hinny
