#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdio>

#include "base/terminal_text.h"

namespace hinny {
namespace {

constexpr double kQuietSeconds = 2.0;
constexpr double kTerminalSeconds = 0.2;
constexpr double kLogSeconds = 10.0;

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::atomic<bool> silent = false;

}  // namespace

void silence_progress() { silent = true; }

std::string duration_text(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

Progress::Progress(std::string label, std::uint64_t total, std::uint64_t already_done)
    : label_(std::move(label)),
      total_(total),
      first_(already_done),
      done_(already_done),
      terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (!shown_) return;
  if (terminal_) {
    fmt::print(stderr, "\r\033[K");
  } else {
    print("");
  }
}

void Progress::update(std::uint64_t done, std::string_view note) {
  done_ = done;
  if (silent) return;
  const auto now = Clock::now();
  if (seconds(now - start_) < kQuietSeconds) return;
  if (shown_ && seconds(now - printed_) < (terminal_ ? kTerminalSeconds : kLogSeconds)) return;
  printed_ = now;
  shown_ = true;
  print(note);
}

void Progress::print(std::string_view note) {
  const double elapsed = seconds(Clock::now() - start_);
  const double rate = static_cast<double>(done_ - first_) / elapsed;
  std::string line = fmt::format("{}: {}", label_, done_);
  if (total_ > 0) line += fmt::format("/{}", total_);
  line += rate < 10 ? fmt::format(", {:.1f}/s", rate) : fmt::format(", {:.0f}/s", rate);
  if (total_ > done_ && rate > 0) {
    line += fmt::format(", {} left", duration_text(static_cast<double>(total_ - done_) / rate));
  } else if (done_ >= total_ && total_ > 0) {
    line += fmt::format(", took {}", duration_text(elapsed));
  }
  if (!note.empty()) line += fmt::format(", {}", note);
  line = terminal_text(line);
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", line);
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  std::fflush(stderr);
}

}  // namespace hinny
