// The hub bank that a run stores (retrieval/hubs.h).
#pragma once

#include <filesystem>
#include <optional>

#include "retrieval/hubs.h"

namespace hinny {

// The run's bank, where it holds one; none of a run without, or while it is still in training.
std::optional<HubBank> hubs_of_run(const std::filesystem::path& run);

}  // namespace hinny
