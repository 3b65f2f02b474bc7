// A system's recall on a split.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "retrieval/recall.h"
#include "training/experiment/experiment.h"

namespace hinny {

struct EvaluationOptions {
  std::string split = "val";
  int folds = 1;  // 5: COCO's five folds of 1,000
  bool progress = true;
};

struct Evaluation {
  RecallTable table;
  // Of "pictures" and of each language's captions (training/evaluation/spread.h).
  std::map<std::string, double> spread;
};

// The experiment's system on the split's images that have features, in the languages of its
// dataset. Leaves the system in evaluation mode. Throws InputError when a language has no caption
// there.
Evaluation evaluate(Experiment& experiment, const EvaluationOptions& options);

}  // namespace hinny
