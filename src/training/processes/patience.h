// Waiting for other processes: said, within limits, and ended by Ctrl-C.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace hinny {

// What is waited for, as a line may name it: "process 1, at node7 port 29500". Safe from any
// thread.
class WaitedFor {
 public:
  void set(std::string what);
  std::string text() const;

 private:
  mutable std::mutex lock_;
  std::string what_;
};

// Says on stderr that `who` waits, once it has waited for a while and then from time to time.
class WaitNotes {
 public:
  using Clock = std::chrono::steady_clock;

  // A `limit` of 0: none is named.
  WaitNotes(std::string who, std::chrono::seconds first, std::chrono::seconds limit);
  // To be called often.
  void look(const std::string& what);
  Clock::duration waited() const { return Clock::now() - begin_; }

 private:
  std::string who_;
  std::chrono::seconds next_, limit_;
  Clock::time_point begin_ = Clock::now();
};

// The exit code of a program that Ctrl-C ended, at once: whatever waits cannot be woken.
[[noreturn]] void end_interrupted(const std::string& who, const std::string& what);

// Does `work` on a thread of its own, for what it waits in may hear neither a limit nor Ctrl-C, and
// says meanwhile what `who` waits for. Throws what `work` throws. Ctrl-C ends the process with exit
// code 130, and `limit` with exit code 1, if the work has not ended by itself some seconds after
// it.
void work_patiently(const std::string& who, std::chrono::seconds limit,
                    const std::function<void(WaitedFor&)>& work);

}  // namespace hinny
