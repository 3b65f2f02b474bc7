// The training loop.
#pragma once

#include <filesystem>
#include <optional>

#include "data/sampler.h"
#include "training/adam.h"
#include "training/checkpoint.h"
#include "training/evaluate.h"
#include "training/experiment.h"

namespace hinny {

struct TrainingOptions {
  bool resume = false;
  bool tensorboard = false;           // also RUN/tensorboard/
  double checkpoint_seconds = 120.0;  // at least so often; also at each validation
};

struct TrainingResult {
  TrainingState state;
  std::optional<RecallTable> best;  // validation of the best model; none without a "val" split
};

// Trains until the recipe's epochs or patience are used up, and leaves the best model, the last
// checkpoint, metrics.jsonl and README.md in `run`. One seed gives one result on one machine and
// thread count; a training that was killed and resumed ends bit for bit as an unbroken one.
// Throws Interrupted after Ctrl-C, with a checkpoint written.
TrainingResult train(Experiment& experiment, const std::filesystem::path& run,
                     const TrainingOptions& options);

}  // namespace hinny
