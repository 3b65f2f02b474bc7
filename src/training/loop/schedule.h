// The learning rate over time.
#pragma once

#include <cstdint>

#include "recipe/recipe.h"

namespace hinny {

// The factor on the learning rate for the batch `step` (from 0) of `total`, with `per_epoch`
// batches in an epoch. Rises linearly over warmup_steps first.
double schedule_factor(const TrainSettings& settings, std::int64_t step, std::int64_t total,
                       std::int64_t per_epoch);

// Half a cosine: 1 at the batch 0, 0 at `span`.
double cosine_factor(double step, double span);

}  // namespace hinny
