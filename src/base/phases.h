// Where the time of a process goes, by phase of its work.
#pragma once

#include <string>
#include <vector>

namespace hinny {

enum class Phase {
  other,
  batch,
  products,
  gates,
  layers,
  backward,
  optimiser,
  validation,
  checkpoint,
  others
};

// While it lives the calling thread is in `phase`; an inner phase takes its time from the outer.
// Costs two readings of the clock. Only the thread that called count_phases is counted: with
// several threads at work on a phase, theirs runs beside it.
class InPhase {
 public:
  explicit InPhase(Phase phase);
  ~InPhase();
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  Phase before_;
};

// Starts counting on this thread, from zero.
void count_phases();

struct PhaseShare {
  std::string name;
  double seconds = 0;
  double share = 0;  // of all that was counted
};
// Largest first, those never entered left out.
std::vector<PhaseShare> phase_shares();
std::string phases_as_text();

}  // namespace hinny
