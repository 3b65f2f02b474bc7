#include "server/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <random>

#include "base/out_of_memory.h"
#include "base/terminal_text.h"
#include "index/asking/engine.h"
#include "index/asking/question.h"
#include "server/ascii_case.h"
#include "server/http_error.h"
#include "vision/decoding_memory.h"

namespace hinny {
namespace {

std::string next_id() {
  static const unsigned run = std::random_device{}();
  static std::atomic<unsigned> count = 0;
  return fmt::format("{:08x}-{:06x}", run, ++count);
}

bool fit_for_id(const std::string& id) {
  return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
  });
}

// An address as the client sent it, without what was asked, for a line of the log.
std::string printable(const std::string& target) {
  constexpr std::size_t kMost = 200;
  std::string line;
  for (const char c : target.substr(0, std::min(target.find('?'), kMost))) {
    if (c >= '!' && c <= '~') {
      line += c;
    } else {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return line.empty() ? "-" : line;
}

// What was said of the answer that there would have been (its tag, how long it keeps) is not true
// of the error.
void fail(HttpResponse& response, int status, const std::string& message) {
  std::erase_if(response.headers, [](const auto& header) { return header.first == "ETag"; });
  response.set_header("Cache-Control", "no-store");
  response.status = status;
  response.file = {};
  response.set_content(error_json(status, message), "application/json");
}

}  // namespace

Exchange::Exchange(FindRoute find, Metrics& metrics, bool log)
    : find_(std::move(find)), metrics_(metrics), log_(log) {}

std::string Exchange::dispatch(const HttpRequest& request, const std::string& id,
                               HttpResponse& response) const {
  std::string name = "unread";
  try {
    const Route route = find_(request);
    name = route.name;
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
    print_line(stderr, "{} failed: {}\n", id, error.what());
    fail(response, 503, "the database that holds the pictures does not answer");
  } catch (const std::bad_alloc&) {
    print_line(stderr, "{} failed: out of memory\n", id);
    response.set_header("Retry-After", "1");
    fail(response, 503, "out of memory; try again in a moment");
  } catch (const std::exception& error) {
    // The message may name files of this machine: it is for the log alone.
    print_line(stderr, "{} failed: {}\n", id, error.what());
    fail(response, 500, "the server failed; its log says more under this request's id");
  }
  return name;
}

HttpResponse Exchange::answer(const HttpRequest& request) const {
  const auto start = std::chrono::steady_clock::now();
  const std::string asked = request.header("x-request-id");
  const std::string id = fit_for_id(asked) ? asked : next_id();
  HttpResponse response;
  const std::string route = dispatch(request, id, response);
  keep_memory_aside();
  response.set_header("X-Request-Id", id);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  metrics_.answered(route, response.status, seconds);
  if (log_) {
    print_line(stderr, "{} {} {} {} {} {} bytes {:.2f} ms\n", id, request.client, request.method,
               printable(request.target), response.status,
               response.body.size() + response.file.size, seconds * 1e3);
  }
  return response;
}

}  // namespace hinny
