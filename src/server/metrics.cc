#include "server/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

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

// As the value of a label.
std::string escaped(std::string_view text) {
  std::string value;
  for (const char c : text) {
    if (c == '"' || c == '\\') value += '\\';
    value += c;
  }
  return value;
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

Metrics::Index& Metrics::add_index(std::string name) {
  const std::lock_guard guard(lock_);
  indexes_.emplace_back().name = std::move(name);
  return indexes_.back();
}

void Metrics::put_indexes(std::string& text) const {
  if (indexes_.empty()) return;
  struct Figure {
    const char *name, *kind, *help;
    std::atomic<std::int64_t> Index::*value;
  };
  for (const Figure& figure :
       {Figure{"hinny_index_images", "gauge", "Pictures in the index.", &Index::images},
        {"hinny_index_reloads_total", "counter", "Changed indexes taken up.", &Index::reloads},
        {"hinny_index_failed_reloads_total", "counter", "Changed indexes that could not be opened.",
         &Index::failed_reloads}}) {
    head(text, figure.name, figure.kind, figure.help);
    for (const Index& index : indexes_) {
      const std::string label =
          indexes_.size() > 1 ? fmt::format("{{index=\"{}\"}}", escaped(index.name)) : "";
      text += fmt::format("{}{} {}\n", figure.name, label, (index.*figure.value).load());
    }
  }
}

std::string Metrics::text() const {
  std::string text;
  single(text, "hinny_connections", "gauge", "Open connections.", connections);
  single(text, "hinny_queue_length", "gauge", "Requests that wait for a worker.", queued);
  const std::lock_guard guard(lock_);
  put_indexes(text);
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
