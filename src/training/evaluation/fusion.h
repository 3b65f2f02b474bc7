// Several systems whose scores are added (Lee et al. 2018: SCAN in both directions).
#pragma once

#include <span>

#include "retrieval/recall.h"
#include "training/evaluation/evaluate.h"

namespace hinny {

// Recall when a picture and a caption score the mean of the systems' scores, or their sum with
// `weights`, one for each. Each experiment's dataset is the same one, opened in the same languages;
// their features may differ. Throws InputError when they do not have features of the same images,
// for images that cannot be cut into options.folds, for fewer than two, and for another number of
// weights.
RecallTable evaluate_together(std::span<const std::unique_ptr<Experiment>> experiments,
                              const EvaluationOptions& options,
                              std::span<const double> weights = {});

}  // namespace hinny
