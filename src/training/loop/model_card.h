// RUN/README.md: what this model is, for people.
#pragma once

#include <filesystem>
#include <optional>

#include "retrieval/recall.h"
#include "training/experiment/experiment.h"
#include "training/loop/checkpoint.h"

namespace hinny {

// "6086 training images": how much the experiment learns from.
std::string learnt_from(const Experiment& experiment);

// "- Training: 20 batches in 0:09 on cpu in bf16, best after 20, seed 1, 2560 captions seen";
// `units` are the task's. bench/record reads it.
std::string how_trained(const TrainingState& state, const Recipe& recipe, torch::Device device,
                        const char* units);

// `validation`: the best model's recall on the val split, if there is one.
void write_model_card(const std::filesystem::path& run, const Experiment& experiment,
                      const TrainingState& state, const std::optional<RecallTable>& validation);

}  // namespace hinny
