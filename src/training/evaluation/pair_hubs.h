// Hubs of a system that compares pairs (retrieval/hubs.h).
#pragma once

#include <span>

#include "retrieval/score_matrix.h"
#include "training/experiment/experiment.h"

namespace hinny {

// Adds to each score of these images and captions the penalties of both, by what the experiment
// remembers, which must be of its system. `language` is the dataset's.
void correct_hubs(Experiment& experiment, std::size_t language, std::span<const int> images,
                  std::span<const int> captions, ScoreMatrix& scores);

}  // namespace hinny
