// The state of a training, in one file, so that it is whole or absent: RUN/checkpoint/last.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "training/loop/adam.h"
#include "training/loop/training_task.h"
#include "training/loop/weight_average.h"

namespace hinny {

struct TrainingState {
  std::int64_t step = 0;   // batches done
  double best_score = -1;  // best validation mR so far; below 0: none yet
  std::int64_t best_step = 0;
  std::int64_t validations_since_best = 0;
  bool finished = false;
  double seconds = 0;  // time spent in training
  // Captions (what the task counts) that were learnt from; below 0: a version before 2026-12 began
  // it.
  double seen = 0;
  // The batch at which the recipe's epochs end, and each time that more were asked for.
  std::vector<std::int64_t> ends{};
  std::map<std::string, std::string> data{};  // what is trained on (training/loop/data_identity.h)
  struct Block {                              // sums since the last line of metrics.jsonl
    double loss = 0;
    double units = 0;
    double seconds = 0;
    std::int64_t steps = 0;
    std::uint64_t exchanged = 0;  // bytes, with other processes
  } block;
};

std::filesystem::path checkpoint_file(const std::filesystem::path& run);

// Weights, buffers, their average, optimiser moments and the state. Atomic.
void write_checkpoint(const std::filesystem::path& run, const torch::nn::Module& model,
                      const Adam& adam, const WeightAverage& average, const TrainingState& state);
// Of what was read from `file`. Throws InputError when it does not fit the task's model.
// How far the training of a run folder has come, by its checkpoint, without the weights.
TrainingState read_progress(const std::filesystem::path& run);
TrainingState restore_checkpoint(const TensorFile& stored, const std::filesystem::path& file,
                                 TrainingTask& task, Adam& adam, WeightAverage& average);

}  // namespace hinny
