// The field's table for a model as it searches: recall of a dataset's split, without libtorch.
#pragma once

#include <string>

#include "data/dataset.h"
#include "data/features.h"
#include "encoder/model.h"
#include "retrieval/recall.h"

namespace hinny {

// Each language of the dataset that the model has, over the split's images that have features,
// which are those that the model reads. `folds` as measure_recall_in_folds. With the hubs that the
// model remembers, unless not wanted. Shows progress. Throws InputError where no language is left,
// or a language has no caption there.
RecallTable measure_split(const Model& model, const Dataset& dataset, const Features& features,
                          const std::string& split, int folds, bool hubs);

}  // namespace hinny
