#include "training/processes/heartbeat.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <optional>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "base/terminal_text.h"
#include "training/processes/rendezvous.h"

namespace hinny {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSignsApart = 2;  // seconds between signs
constexpr int kPatience = 20;   // seconds without one
constexpr int kNoticeTime = 5;  // seconds for the training to notice by itself, and say so
constexpr auto kTimeout = std::chrono::seconds(20);

std::string heartbeat_key(int rank) { return "heartbeat/" + std::to_string(rank); }
std::string end_of(int rank) { return "left/" + std::to_string(rank); }
constexpr const char* kLost = "lost";

// Reads the signs of those that this process looks after: process 0 after all, the others after 0.
class Signs {
 public:
  Signs(c10d::TCPStore& store, const Launch& launch) : store_(store), launch_(launch) {
    const int first = launch.rank == 0 ? 1 : 0, last = launch.rank == 0 ? launch.size : 1;
    for (int rank = first; rank < last; ++rank) seen_[rank] = {"", Clock::now()};
  }

  // One that gives none, if any.
  std::optional<int> missing() {
    if (launch_.rank != 0 && store_.check({kLost})) return std::stoi(text(kLost));
    for (auto& [rank, seen] : seen_) {
      if (left(rank)) continue;
      const std::string sign = store_.check({heartbeat_key(rank)}) ? text(heartbeat_key(rank)) : "";
      if (sign != seen.sign) seen = {sign, Clock::now()};
      if (Clock::now() - seen.when > std::chrono::seconds(kPatience)) return rank;
    }
    return std::nullopt;
  }

  bool all_left() {
    for (const auto& [rank, seen] : seen_) {
      if (!left(rank)) return false;
    }
    return true;
  }

 private:
  struct Seen {
    std::string sign;
    Clock::time_point when;
  };
  bool left(int rank) { return store_.check({end_of(rank)}); }
  std::string text(const std::string& key) {
    const auto bytes = store_.get(key);
    return {bytes.begin(), bytes.end()};
  }

  c10d::TCPStore& store_;
  const Launch& launch_;
  std::map<int, Seen> seen_;
};

void put(c10d::TCPStore& store, const std::string& key, const std::string& text) {
  store.set(key, std::vector<std::uint8_t>(text.begin(), text.end()));
}

}  // namespace

Heartbeat::Heartbeat(const Launch& launch)
    : launch_(launch), thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void Heartbeat::leave() {
  leaves_ = true;
  thread_.request_stop();
  thread_.join();
}

bool Heartbeat::pause(const std::stop_token& stop, int seconds) {
  std::unique_lock hold(lock_);
  wake_.wait_for(hold, stop, std::chrono::seconds(seconds), [] { return false; });
  return !stop.stop_requested();
}

void Heartbeat::watch(const std::stop_token& stop) {
  try {
    c10d::TCPStoreOptions options = store_options(launch_);
    options.timeout = kTimeout;
    c10d::TCPStore store(launch_.host, options);
    Signs signs(store, launch_);
    int count = 0;
    do {
      put(store, heartbeat_key(launch_.rank), std::to_string(++count));
      const auto missing = signs.missing();
      if (!missing) continue;
      if (launch_.rank == 0) put(store, kLost, std::to_string(*missing));
      return lost(stop, *missing);
    } while (pause(stop, kSignsApart));
    if (!leaves_) return;
    put(store, end_of(launch_.rank), "");
    const auto end = Clock::now() + std::chrono::seconds(10);
    while (launch_.rank == 0 && !signs.all_left() && Clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  } catch (const std::exception&) {
    if (!stop.stop_requested()) lost(stop, 0);  // the store is process 0's
  }
}

void Heartbeat::lost(const std::stop_token& stop, int rank) {
  if (!pause(stop, kNoticeTime)) return;
  print_line(stderr,
             "error: process {} of {} has sent no heartbeat for {} seconds; the last checkpoint "
             "is whole, and the same command with --resume goes on\n",
             rank, launch_.size, kPatience);
  std::fflush(stderr);
  ::_exit(1);
}

}  // namespace hinny
