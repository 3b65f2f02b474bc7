// Two systems on the same pictures and captions.
#pragma once

#include "retrieval/paired_comparison.h"
#include "training/evaluation/evaluate.h"

namespace hinny {

// How far the first system's recall is above the second's, by language, and whether by luck. Both
// experiments' dataset is the same one, opened in the same languages; systems and features may
// differ. The table lacks the runs' names. Throws InputError when they do not have features of the
// same images, when a language has no caption in the split, and for folds.
PairedTable evaluate_against(Experiment& first, Experiment& second,
                             const EvaluationOptions& options);

}  // namespace hinny
