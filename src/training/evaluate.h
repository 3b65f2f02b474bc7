// A system's recall on a split.
#pragma once

#include <string>
#include <vector>

#include "retrieval/recall.h"
#include "training/experiment.h"

namespace hinny {

struct EvaluationOptions {
  std::string split = "val";
  int folds = 1;  // 5: COCO's five folds of 1,000
  bool progress = true;
};

struct Evaluation {
  RecallTable table;
  // Per language, 1 - |mean caption vector|^2: 0 when all captions lie in one point.
  std::vector<double> caption_spread;
};

// The experiment's system on the split's images that have features, in the languages of its
// dataset. Leaves the system in evaluation mode. Throws InputError when a language has no caption
// there.
Evaluation evaluate(Experiment& experiment, const EvaluationOptions& options);

// A row of the table: position `language` of the dataset, whose captions of `images` it is about.
void add_row(RecallTable& table, LanguageRecall recall, const Dataset& dataset,
             std::size_t language, const std::vector<int>& images);

// A table without rows yet: the split, its images, the system's parameters.
RecallTable empty_table(const RetrievalSystem& system, const std::string& split,
                        std::size_t images);

}  // namespace hinny
