// What the samplers share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/sampler.h"

namespace hinny {

// Throws InputError for sizes below 1 and languages that `dataset` lacks.
void check_options(const Dataset& dataset, const SamplerOptions& options);

// How many batches of `size` the `items` make, at least one; `items` > 0.
std::int64_t batch_count(std::size_t items, std::size_t size, bool drop_last);

}  // namespace hinny
