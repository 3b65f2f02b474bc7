// What the server counts, as Prometheus reads it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace hinny {

// Safe to use from several threads.
class Metrics {
 public:
  // A request that was answered, and how long that took from its last byte on.
  void answered(const std::string& route, int status, double seconds);
  // One that was refused before it was understood: too slow, too large, too many.
  void refused(int status);

  std::atomic<std::int64_t> connections = 0;
  std::atomic<std::int64_t> queued = 0;  // requests that wait for a worker

  // Of one index that is served.
  struct Index {
    std::string name;
    std::atomic<std::int64_t> images = 0;
    std::atomic<std::int64_t> reloads = 0;
    std::atomic<std::int64_t> failed_reloads = 0;
  };
  // The figures of each are labelled with its name where there are several. The reference stays.
  Index& add_index(std::string name);

  std::string text() const;

 private:
  static constexpr std::array<double, 12> kBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                     0.05,   0.1,   0.25,   0.5,   1,    2.5};
  struct Latency {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};  // the last: slower than every bound
    double seconds = 0;
  };
  void put_indexes(std::string& text) const;  // under the lock
  mutable std::mutex lock_;
  std::list<Index> indexes_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<int, std::uint64_t> refused_;
  std::map<std::string, Latency> latency_;
};

}  // namespace hinny
