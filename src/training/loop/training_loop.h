// The training loop, whatever is trained.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "recipe/recipe.h"
#include "training/loop/checkpoint.h"
#include "training/loop/training_task.h"

namespace hinny {

class Processes;

struct TrainingOptions {
  bool resume = false;
  bool tensorboard = false;          // also RUN/tensorboard/
  double checkpoint_seconds = 30.0;  // between two checkpoints; 0: one after each batch
  Processes* processes = nullptr;    // that train together; process 0 alone writes
  // What is trained on (training/loop/data_identity.h): a checkpoint of something else is refused.
  std::map<std::string, std::string> data{};
};

// Trains until the settings' epochs or patience are used up (a finished training goes on where they
// name more epochs than its checkpoint knows), and leaves the best model, the last
// checkpoint and metrics.jsonl in `run`. One seed gives one result on one machine and thread
// count; a training that was killed and resumed ends bit for bit as an unbroken one.
// Throws Interrupted after Ctrl-C, with a checkpoint written.
// Several processes train what one would, but for rounding, and may be another number each time
// that the training is resumed. All need the same task; process 0 alone needs the folder.
TrainingState run_training(TrainingTask& task, const TrainSettings& settings,
                           const std::filesystem::path& run, const TrainingOptions& options);

}  // namespace hinny
