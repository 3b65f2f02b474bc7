#include "server/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <random>

#include "base/terminal_text.h"
#include "index/asking/engine.h"
#include "index/asking/question.h"
#include "server/http_error.h"
#include "vision/decoding_memory.h"

namespace hinny {
namespace {

// What one request needs to have known about it while httplib calls back.
struct Current {
  std::string route = "unread";
  std::string id;
  std::string method;
  std::string path;
  int status = 400;
  std::size_t bytes = 0;
  bool understood = false;  // as HTTP
};
thread_local Current current;  // NOLINT: one request at a time on each thread

// Bytes in memory where httplib expects a socket.
class MemoryStream : public httplib::Stream {
 public:
  explicit MemoryStream(const RawRequest& raw) : raw_(raw) {}
  bool is_readable() const override { return at_ < raw_.head.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min(size, raw_.head.size() - at_);
    std::memcpy(to, raw_.head.data() + at_, count);
    at_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    written.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = raw_.client;
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  socket_t socket() const override { return -1; }

  std::string written;

 private:
  const RawRequest& raw_;
  std::size_t at_ = 0;
};

// httplib answers a stream in one protected function, and its arguments changed between versions.
// Two forms are known, those of 0.11 (Debian 12) and 0.18 (Debian 13); its type says which it is.
using Setup = std::function<void(httplib::Request&)>;
template <typename... Addresses>
using Process = bool (httplib::Server::*)(httplib::Stream&, Addresses..., bool, bool&,
                                          const Setup&);
using ProcessOf018 = Process<const std::string&, int, const std::string&, int>;

// `last`: the connection is closed after the response, as is said there. Sets `closed` when the
// client wants that. False when the request cannot be read.
[[maybe_unused]] bool process(Process<> form, httplib::Server& server, httplib::Stream& stream,
                              bool last, bool& closed, const Setup& setup) {
  return (server.*form)(stream, last, closed, setup);
}
[[maybe_unused]] bool process(ProcessOf018 form, httplib::Server& server, httplib::Stream& stream,
                              bool last, bool& closed, const Setup& setup) {
  std::string client, us;
  int client_port = 0, our_port = 0;
  stream.get_remote_ip_and_port(client, client_port);
  stream.get_local_ip_and_port(us, our_port);
  return (server.*form)(stream, client, client_port, us, our_port, last, closed, setup);
}

std::string next_id() {
  static const unsigned run = std::random_device{}();
  static std::atomic<unsigned> count = 0;
  return fmt::format("{:08x}-{:06x}", run, ++count);
}

bool fit_for_id(const std::string& id) {
  return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
  });
}

// A path as the client sent it, for a line of the log.
std::string printable(const std::string& text) {
  constexpr std::size_t kMost = 200;
  std::string line;
  for (const char c : text.substr(0, kMost)) {
    if (c >= '!' && c <= '~') {
      line += c;
    } else {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return line.empty() ? "-" : line;
}

// Such an answer has no body, and must not say the length of one (RFC 9110, 8.6); httplib does. It
// stays in a 304, for which its own client would otherwise wait.
void drop_length(std::string& response) {
  constexpr std::string_view kLine = "Content-Length: 0\r\n";
  const std::size_t at = response.find(kLine);
  if (at < response.find("\r\n\r\n")) response.erase(at, kLine.size());
}

void fail(httplib::Response& response, int status, const std::string& message) {
  response.status = status;
  response.set_content(error_json(status, message), "application/json");
}

}  // namespace

Exchange::Exchange(FindRoute find, Metrics& metrics, bool log)
    : find_(std::move(find)), metrics_(metrics), log_(log) {
  set_keep_alive_max_count(1000);
  set_keep_alive_timeout(15);
  set_default_headers(
      {{"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Resource-Policy", "same-origin"},
       {"X-Frame-Options", "DENY"},
       {"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"}});
  set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    dispatch(request, response);
    return HandlerResponse::Handled;
  });
  set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (!current.id.empty()) response.set_header("X-Request-Id", current.id);
  });
  set_logger([](const httplib::Request& request, const httplib::Response& response) {
    current.status = response.status;
    current.bytes = response.body.size();
    current.method = request.method;
    current.path = request.target.substr(0, request.target.find('?'));
  });
}

void Exchange::dispatch(const httplib::Request& request, httplib::Response& response) {
  current.understood = true;
  const std::string asked = request.get_header_value("X-Request-Id");
  if (fit_for_id(asked)) current.id = asked;
  response.status = 200;
  try {
    const Route route = find_(request);
    current.route = route.name;
    route.answer(request, response);
  } catch (const HttpError& error) {
    fail(response, error.status(), error.what());
  } catch (const UnknownImage& error) {
    fail(response, 404, fmt::format("no image '{}'", error.id().substr(0, 100)));
  } catch (const RequestError& error) {
    fail(response, 400, error.what());
  } catch (const DecodingBusy& error) {
    response.set_header("Retry-After", "1");
    fail(response, 503, error.what());
  } catch (const EngineFailure& error) {
    print_line(stderr, "{} failed: {}\n", current.id, error.what());
    fail(response, 503, "the database that holds the pictures does not answer");
  } catch (const std::exception& error) {
    // The message may name files of this machine: it is for the log alone.
    print_line(stderr, "{} failed: {}\n", current.id, error.what());
    fail(response, 500, "the server failed; its log says more under this request's id");
  }
  if (response.status < 400) response.set_header("X-Request-Id", current.id);
}

RawResponse Exchange::answer(RawRequest raw) {
  const auto start = std::chrono::steady_clock::now();
  current = Current{};
  current.id = next_id();
  RawResponse response;
  try {
    MemoryStream stream(raw);
    bool closed = false;
    const auto setup = [&](httplib::Request& request) {
      request.body = std::move(raw.body);
      request.remote_addr = raw.client;
    };
    const bool whole = process(&Exchange::process_request, *this, stream, raw.last, closed, setup);
    response = {std::move(stream.written), closed || !whole};
  } catch (const std::exception& error) {
    print_line(stderr, "{} failed: {}\n", current.id, error.what());
  }
  if (response.bytes.empty() || !current.understood) {  // by httplib: what follows is no better
    if (current.status < 400) current.status = 400;
    const char* what = current.status == 414 ? "a URL that is too long" : "not an HTTP request";
    response = {error_response(current.status, what, true), true};
    if (raw.head.starts_with("HEAD ")) {
      response.bytes.resize(response.bytes.find("\r\n\r\n") + 4);
    }
  }
  if (current.status == 204) drop_length(response.bytes);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  metrics_.answered(current.route, current.status, seconds);
  if (log_) {
    print_line(stderr, "{} {} {} {} {} {} bytes {:.2f} ms\n", current.id, raw.client,
               printable(current.method), printable(current.path), current.status, current.bytes,
               seconds * 1e3);
  }
  return response;
}

}  // namespace hinny
