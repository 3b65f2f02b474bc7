// Cross-lingual consistency (CLC): a query and its translations scored together (Burns et al. 2020,
// Sec. 3.4).
#pragma once

#include <filesystem>
#include <string>

#include "training/evaluate.h"

namespace hinny {

struct ConsistencyOptions {
  std::string split = "test";
  std::string way = "average";         // CLC-A, or "learned": CLC-C
  std::filesystem::path translations;  // docs/formats/translations.md
  std::string learn_from = "val";      // split whose scores CLC-C learns from
  bool progress = true;
};

// Recall of the experiment's system in each of its dataset's languages, when every caption is
// scored in all of them: its own, and those that it has been translated into. `average` takes the
// languages that FOLDER translates a query's language into; `learned` needs every pair, on both
// splits, and at least 11 images to learn from. The learnt mixer is no part of the model. Throws
// InputError when translations lack, when there is one language alone, or for a system that
// compares otherwise than by dot product.
RecallTable evaluate_consistency(Experiment& experiment, const ConsistencyOptions& options);

}  // namespace hinny
