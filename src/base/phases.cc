#include "base/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace hinny {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array kNames = {
    "other",           "batches waited for",        "matrix products", "gates",
    "layers and loss", "gradients of layers",       "optimiser",       "validation",
    "checkpoints",     "other processes waited for"};

struct Counter {
  bool counts = false;
  Phase now = Phase::other;
  Clock::time_point since;
  std::array<Clock::duration, kNames.size()> spent{};

  void settle() {
    const auto time = Clock::now();
    spent[static_cast<std::size_t>(now)] += time - since;
    since = time;
  }
  Phase enter(Phase phase) {
    const Phase before = now;
    if (counts) settle();
    now = phase;
    return before;
  }
};

Counter& counter() {
  thread_local Counter mine;
  return mine;
}

}  // namespace

InPhase::InPhase(Phase phase) : before_(counter().enter(phase)) {}
InPhase::~InPhase() { counter().enter(before_); }

void count_phases() {
  Counter& mine = counter();
  mine.counts = true;
  mine.since = Clock::now();
  mine.spent = {};
}

std::vector<PhaseShare> phase_shares() {
  Counter& mine = counter();
  if (mine.counts) mine.settle();
  double all = 0;
  std::vector<PhaseShare> shares;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const double seconds = std::chrono::duration<double>(mine.spent[i]).count();
    if (seconds > 0) shares.push_back({kNames[i], seconds, 0});
    all += seconds;
  }
  for (PhaseShare& entry : shares) entry.share = entry.seconds / all;
  std::ranges::sort(shares, std::greater{}, &PhaseShare::seconds);
  return shares;
}

std::string phases_as_text() {
  std::string text;
  for (const PhaseShare& entry : phase_shares()) {
    text +=
        fmt::format("{:<20} {:>8.2f} s {:>6.1f} %\n", entry.name, entry.seconds, 100 * entry.share);
  }
  return text;
}

}  // namespace hinny
