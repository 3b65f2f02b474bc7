// Whether a disk has room for what a training writes.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <filesystem>

#include "recipe/recipe.h"

namespace hinny {

// Throws Failure, before anything was computed, when `run` has no room for the model and its
// checkpoint, of which a new one is written beside the old. Of a disk that does not say how much is
// free nothing is asked.
void check_room_for_training(const std::filesystem::path& run, const torch::nn::Module& model,
                             const TrainSettings& settings);

// The same of so many bytes.
void check_room(const std::filesystem::path& folder, std::uint64_t bytes);

}  // namespace hinny
