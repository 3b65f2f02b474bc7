// Trains a retrieval system.
#pragma once

#include <filesystem>
#include <optional>

#include "retrieval/recall.h"
#include "training/experiment/experiment.h"
#include "training/loop/training_loop.h"

namespace hinny {

struct TrainingResult {
  TrainingState state;
  std::optional<RecallTable> best;  // validation of the best model; none without a "val" split
};

// run_training of the experiment's system, judged by the mean recall of the "val" split; also
// writes README.md.
TrainingResult train(Experiment& experiment, const std::filesystem::path& run,
                     const TrainingOptions& options);

}  // namespace hinny
