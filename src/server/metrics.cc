#include "server/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace hinny {
namespace {

void head(std::string& text, std::string_view name, std::string_view kind, std::string_view help) {
  text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, kind);
}

void single(std::string& text, std::string_view name, std::string_view kind, std::string_view help,
            std::int64_t value) {
  head(text, name, kind, help);
  text += fmt::format("{} {}\n", name, value);
}

}  // namespace

void Metrics::answered(const std::string& route, int status, double seconds) {
  const auto bucket = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
  const std::lock_guard guard(lock_);
  ++requests_[{route, status}];
  Latency& latency = latency_[route];
  ++latency.counts[static_cast<std::size_t>(bucket)];
  latency.seconds += seconds;
}

void Metrics::refused(int status) {
  const std::lock_guard guard(lock_);
  ++refused_[status];
}

std::string Metrics::text() const {
  std::string text;
  single(text, "hinny_connections", "gauge", "Open connections.", connections);
  single(text, "hinny_queue_length", "gauge", "Requests that wait for a worker.", queued);
  single(text, "hinny_index_images", "gauge", "Pictures in the index.", images);
  single(text, "hinny_index_reloads_total", "counter", "Changed indexes taken up.", reloads);
  single(text, "hinny_index_failed_reloads_total", "counter",
         "Changed indexes that could not be opened.", failed_reloads);
  const std::lock_guard guard(lock_);
  head(text, "hinny_requests_total", "counter", "Requests answered, by route and status.");
  for (const auto& [key, count] : requests_) {
    text += fmt::format("hinny_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                        key.second, count);
  }
  head(text, "hinny_refused_total", "counter", "Requests refused unread, by status.");
  for (const auto& [status, count] : refused_) {
    text += fmt::format("hinny_refused_total{{status=\"{}\"}} {}\n", status, count);
  }
  head(text, "hinny_request_seconds", "histogram", "From a request's last byte to its answer.");
  for (const auto& [route, latency] : latency_) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < latency.counts.size(); ++i) {
      total += latency.counts[i];
      const std::string bound = i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf";
      text += fmt::format("hinny_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                          bound, total);
    }
    text +=
        fmt::format("hinny_request_seconds_sum{{route=\"{}\"}} {:.6f}\n", route, latency.seconds);
    text += fmt::format("hinny_request_seconds_count{{route=\"{}\"}} {}\n", route, total);
  }
  return text;
}

}  // namespace hinny
