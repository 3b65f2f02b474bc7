#include "training/evaluation/evaluate.h"

#include <algorithm>

#include "base/progress.h"
#include "training/evaluation/split_scorer.h"
#include "training/evaluation/spread.h"

namespace hinny {

Evaluation evaluate(Experiment& experiment, const EvaluationOptions& options) {
  const RetrievalSystem& system = *experiment.system;
  SplitScorer scorer(experiment, options.split);
  std::vector<SplitCaptions> captions;
  std::size_t count = 0;
  const std::vector<std::size_t> languages = scorer.languages();
  for (const std::size_t l : languages) {
    captions.push_back(scorer.captions(l));
    count += captions.back().captions.size();
  }

  Evaluation result{scorer.table(), {}};
  const auto note = [&](const std::string& what, double spread) {
    const auto [entry, added] = result.spread.emplace(what, spread);
    if (!added) entry->second = std::min(entry->second, spread);
  };
  Progress bar("evaluate " + options.split, scorer.work(count));
  Progress* progress = options.progress ? &bar : nullptr;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const std::size_t l = languages[i];
    const auto& [positions, owners] = captions[i];
    if (system.compares_pairs()) {
      std::vector<LanguageRecall> parts;
      for (const Fold& fold : cut_into_folds(scorer.images().size(), owners, options.folds)) {
        const ScoreMatrix scores = scorer.scores(l, captions[i], fold, progress);
        parts.push_back(measure_recall(scores, fold.owners));
        note(experiment.dataset.languages()[l], spread_of(scores));
      }
      scorer.add_row(result.table, mean_of(parts), l);
      continue;
    }
    const torch::Tensor& pictures = scorer.image_vectors(l, progress);
    const torch::Tensor sentences = scorer.caption_vectors(l, positions, progress);
    scorer.add_row(result.table,
                   measure_recall_in_folds(vector_rows(pictures), vector_rows(sentences), owners,
                                           options.folds, system.score()),
                   l);
    note(experiment.dataset.languages()[l], spread_of(scorer.without_hubs(sentences)));
    note("pictures", spread_of(scorer.without_hubs(pictures)));
  }
  return result;
}

}  // namespace hinny
