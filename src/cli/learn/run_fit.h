// What the scores of a trained model say (retrieval/fit.h), kept with the pictures that it
// remembers.
#pragma once

#include <filesystem>

#include "data/dataset.h"
#include "data/features.h"

namespace hinny {

// Learns it from the validation captions and writes it into the run's bank of hubs. Nothing where
// the run has none, or compares words with regions, or the split `val` tells too little.
void learn_run_fit(const std::filesystem::path& run, const Dataset& dataset,
                   const Features& features);

}  // namespace hinny
