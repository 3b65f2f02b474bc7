#include "base/interrupt.h"

#include <atomic>
#include <csignal>

#include "base/error.h"

namespace hinny {
namespace {

volatile std::sig_atomic_t flag = 0;
std::atomic<bool> later = false;

void on_signal(int signal) {
  flag = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() { return flag != 0 && !later; }

InterruptLater::InterruptLater() { later = true; }
InterruptLater::~InterruptLater() { later = false; }

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted("interrupted");
}

}  // namespace hinny
