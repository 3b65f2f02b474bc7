#include "training/evaluation/paired_evaluation.h"

#include "base/error.h"
#include "base/progress.h"
#include "training/evaluation/split_scorer.h"

namespace hinny {

PairedTable evaluate_against(Experiment& first, Experiment& second,
                             const EvaluationOptions& options) {
  if (options.folds > 1) throw InputError("folds of a comparison", "--folds 1");
  SplitScorer one(first, options.split), other(second, options.split);
  one.check_same_images(other);
  std::vector<SplitCaptions> captions;
  std::size_t count = 0;
  const std::vector<std::size_t> languages = one.languages();
  for (const std::size_t l : languages) {
    captions.push_back(one.captions(l));
    count += captions.back().captions.size();
  }
  Progress bar("evaluate " + options.split, one.work(count) + other.work(count));
  Progress* progress = options.progress ? &bar : nullptr;
  std::vector<PairedRanks> ranks;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const std::size_t l = languages[i];
    ranks.push_back({first.dataset.languages()[l], captions[i].owners,
                     one.ranks(l, captions[i], progress), other.ranks(l, captions[i], progress)});
  }
  PairedTable table = compare_ranks(ranks);
  table.split = options.split;
  return table;
}

}  // namespace hinny
