// Heartbeats of the processes of a training, in a store that process 0 holds: a machine that has
// lost its power sends no message that says so.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "training/processes/launch.h"

namespace hinny {

// A thread that sends this process's heartbeat and watches for the others'. When one has sent none
// for 20 seconds it says which, and ends this process with exit code 1, because a call that waits
// for the lost one cannot be woken.
class Heartbeat {
 public:
  explicit Heartbeat(const Launch& launch);
  // Says that this process is done, so that the others do not take it for lost; process 0 waits for
  // the others to say so, for ten seconds at most.
  void leave();

 private:
  void watch(const std::stop_token& stop);
  bool pause(const std::stop_token& stop, int seconds);  // false: asked to stop
  void lost(const std::stop_token& stop, int rank);

  Launch launch_;
  std::atomic<bool> leaves_ = false;
  std::mutex lock_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace hinny
