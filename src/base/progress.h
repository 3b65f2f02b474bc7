// A progress line on stderr, with the time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace hinny {

// On a terminal one line is redrawn a few times a second; elsewhere a line is printed every
// ten seconds, so that logs stay short. Work that ends within two seconds prints nothing.
class Progress {
 public:
  // total 0: unknown, so a count and a rate are shown but no time left.
  Progress(std::string label, std::uint64_t total, std::uint64_t already_done = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `note` is shown at the end of the line ("loss 1.23").
  void update(std::uint64_t done, std::string_view note = {});
  void add(std::uint64_t count = 1) { update(done_ + count); }

 private:
  using Clock = std::chrono::steady_clock;
  void print(std::string_view note);
  std::string label_;
  std::uint64_t total_;
  std::uint64_t first_;
  std::uint64_t done_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point printed_ = start_;
  bool terminal_;
  bool shown_ = false;
};

// From now on this process shows no progress: another one does.
void silence_progress();

// "1:05:09", "3:20" or "12 s".
std::string duration_text(double seconds);

}  // namespace hinny
