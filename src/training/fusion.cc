#include "training/fusion.h"

#include "base/error.h"
#include "base/progress.h"
#include "nn/product.h"
#include "training/encode_split.h"

namespace hinny {
namespace {

// One system's scores of captions in the language at place `l` of its dataset.
class Scorer {
 public:
  Scorer(Experiment& experiment, const std::vector<int>& images) : e_(experiment), images_(images) {
    e_.system->eval();
  }

  ScoreMatrix scores(std::size_t l, const std::vector<int>& captions, Progress* progress) {
    RetrievalSystem& system = *e_.system;
    const int language = e_.system_language[l];
    if (system.compares_pairs()) {
      return score_pairs(system, *e_.builder, images_, captions, language, progress);
    }
    if (!pictures_.defined() || !system.shares_image_space()) {
      pictures_ = encode_images(system, *e_.builder, images_, language, progress);
    }
    const torch::Tensor sentences =
        encode_captions(system, *e_.builder, captions, language, progress);
    if (system.score() == Score::order) {
      return order_scores(vector_rows(pictures_), vector_rows(sentences));
    }
    return score_matrix(row_products(sentences, pictures_));
  }

 private:
  Experiment& e_;
  const std::vector<int>& images_;
  torch::Tensor pictures_;
};

}  // namespace

RecallTable evaluate_together(std::span<const std::unique_ptr<Experiment>> experiments,
                              const EvaluationOptions& options) {
  if (experiments.size() < 2) throw InputError("one system to average", "two or more");
  if (options.folds > 1) throw InputError("folds of averaged scores", "--folds 1");
  const Experiment& first = *experiments.front();
  const Dataset& dataset = first.dataset;
  const std::vector<int> images =
      usable_images(first.features, dataset.split(options.split), options.split);
  std::vector<Scorer> scorers;
  RecallTable table;
  table.split = options.split;
  table.images = images.size();
  for (const auto& experiment : experiments) {
    if (usable_images(experiment->features, dataset.split(options.split), options.split) !=
        images) {
      throw InputError("features of other images: " + experiment->features.names(),
                       "features of the same images as " + first.features.names());
    }
    scorers.emplace_back(*experiment, images);
    const ParameterCounts counts = count_parameters(*experiment->system);
    table.train_parameters += counts.train;
    table.search_parameters += counts.search;
  }
  Progress bar("evaluate " + options.split, 0);
  for (std::size_t l = 0; l < dataset.languages().size(); ++l) {
    const SplitCaptions captions = captions_of(dataset, images, static_cast<int>(l), options.split);
    ScoreMatrix sum;
    for (Scorer& scorer : scorers) {
      ScoreMatrix own = scorer.scores(l, captions.captions, options.progress ? &bar : nullptr);
      // Recall asks for the order alone: a sum will do.
      for (std::size_t i = 0; i < sum.values.size(); ++i) own.values[i] += sum.values[i];
      sum = std::move(own);
    }
    add_row(table, measure_recall(sum, captions.owners), dataset, l, images);
  }
  return table;
}

}  // namespace hinny
