// What a model remembers of its training to tell hubs (retrieval/hubs.h).
#pragma once

#include <filesystem>
#include <optional>

#include "retrieval/hubs.h"
#include "training/experiment.h"

namespace hinny {

// Vectors of hubs.size training captions, in all languages of a space together, and of as many
// training pictures, drawn by the seed; by the system as it is, which is left in evaluation mode.
HubBank remember_hubs(Experiment& experiment);

// The run's bank, where it holds one; none of a run without, or while it is still in training.
std::optional<HubBank> hubs_of_run(const std::filesystem::path& run);

}  // namespace hinny
