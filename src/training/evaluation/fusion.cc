#include "training/evaluation/fusion.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/progress.h"
#include "training/evaluation/split_scorer.h"

namespace hinny {

RecallTable evaluate_together(std::span<const std::unique_ptr<Experiment>> experiments,
                              const EvaluationOptions& options, std::span<const double> weights) {
  if (experiments.size() < 2) throw InputError("one system to average", "two or more");
  if (!weights.empty() && weights.size() != experiments.size()) {
    throw InputError(fmt::format("{} weights for {} models", weights.size(), experiments.size()),
                     "one for RUN and one for each --with, in their order");
  }
  std::vector<SplitScorer> scorers;
  for (const auto& experiment : experiments) {
    scorers.emplace_back(*experiment, options.split);
    scorers.front().check_same_images(scorers.back());
  }
  RecallTable table = scorers.front().table();
  for (std::size_t i = 1; i < scorers.size(); ++i) {
    const RecallTable other = scorers[i].table();
    table.train_parameters += other.train_parameters;
    table.search_parameters += other.search_parameters;
  }
  Progress bar("evaluate " + options.split, 0);
  for (const std::size_t l : scorers.front().languages()) {
    const SplitCaptions captions = scorers.front().captions(l);
    std::vector<LanguageRecall> parts;
    for (const Fold& fold : cut_into_folds(table.images, captions.owners, options.folds)) {
      ScoreMatrix sum;
      for (std::size_t s = 0; s < scorers.size(); ++s) {
        ScoreMatrix own = scorers[s].scores(l, captions, fold, options.progress ? &bar : nullptr);
        // Recall asks for the order alone: a sum will do.
        if (!weights.empty()) {
          for (auto& value : own.values) value *= static_cast<float>(weights[s]);
        }
        for (std::size_t i = 0; i < sum.values.size(); ++i) own.values[i] += sum.values[i];
        sum = std::move(own);
      }
      parts.push_back(measure_recall(sum, fold.owners));
    }
    scorers.front().add_row(table, mean_of(parts), l);
  }
  return table;
}

}  // namespace hinny
