// Cross-lingual consistency (CLC): a query and its translations scored together (Burns et al. 2020,
// Sec. 3.4).
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "retrieval/recall.h"
#include "training/evaluation/evaluate.h"

namespace hinny {

struct ConsistencyOptions {
  std::string split = "test";
  std::string way = "average";         // CLC-A, or "learned": CLC-C
  std::filesystem::path translations;  // docs/formats/translations.md
  std::string learn_from = "val";      // split whose scores CLC-C learns from
  bool progress = true;
};

struct Consistency {
  RecallTable table;
  // `learned`: the weight of a sentence in each language; scores weighted by these order images as
  // the learnt mixer does. Empty for `average`.
  std::map<std::string, double> weights;
};

// Recall of the experiment's system in each of its dataset's languages, when every caption is
// scored in all of them: its own, and those that it has been translated into. `average` takes the
// languages that FOLDER translates a query's language into; `learned` needs every pair, on both
// splits, and at least 11 images to learn from. The learnt mixer is not part of the model
// until store_consistency makes it one. Throws InputError when translations are missing, when
// there is only one language, or for a system that does not compare by dot product.
Consistency evaluate_consistency(Experiment& experiment, const ConsistencyOptions& options);

// Writes the weights into the run's config.json: its exports and indexes weight a question's
// translations by them.
void store_consistency(const std::filesystem::path& run, const Consistency& learnt);

}  // namespace hinny
