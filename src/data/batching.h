// What the samplers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/sampler.h"

namespace hinny {

// Throws InputError for sizes below 1 and languages that `dataset` lacks.
void check_options(const Dataset& dataset, const SamplerOptions& options);

// Position of a language that `what`, the start of a sentence, names; InputError when it is not
// trained.
int trained_language(const Dataset& dataset, std::string_view what, const std::string& code);

// How many batches of `size` the `items` make, at least one; `items` > 0.
std::int64_t batch_count(std::size_t items, std::size_t size, bool drop_last);

}  // namespace hinny
