// Ctrl-C as a flag that long loops check, so that they can save before they stop.
#pragma once

namespace hinny {

// From now on SIGINT and SIGTERM set the flag; a second one ends the process at once.
void watch_for_interrupt();
// Safe from any thread.
bool interrupted();
// Throws Interrupted when the flag is set: for loops that have nothing to save.
void stop_if_interrupted();

// As long as one lives, interrupted() is false, whatever has come: for work that must not end in
// the middle. One at a time.
class InterruptLater {
 public:
  InterruptLater();
  ~InterruptLater();
  InterruptLater(const InterruptLater&) = delete;
  InterruptLater& operator=(const InterruptLater&) = delete;
};

}  // namespace hinny
