#include "training/evaluate.h"

#include "base/error.h"
#include "base/progress.h"
#include "training/encode_split.h"

namespace hinny {

RecallTable empty_table(const RetrievalSystem& system, const std::string& split,
                        std::size_t images) {
  RecallTable table;
  table.split = split;
  table.images = images;
  const ParameterCounts counts = count_parameters(system);
  table.train_parameters = counts.train;
  table.search_parameters = counts.search;
  return table;
}

void add_row(RecallTable& table, LanguageRecall recall, const Dataset& dataset,
             std::size_t language, const std::vector<int>& images) {
  recall.language = dataset.languages()[language];
  recall.human = dataset.human(static_cast<int>(language), images);
  table.languages.push_back(std::move(recall));
}

Evaluation evaluate(Experiment& experiment, const EvaluationOptions& options) {
  RetrievalSystem& system = *experiment.system;
  const Dataset& dataset = experiment.dataset;
  system.eval();
  const std::vector<int> images =
      usable_images(experiment.features, dataset.split(options.split), options.split);
  if (system.compares_pairs() && options.folds > 1) {
    throw InputError("folds of a system that compares pairs", "--folds 1");
  }
  std::vector<SplitCaptions> captions;
  std::uint64_t work = system.compares_pairs() ? 0 : images.size();
  for (std::size_t l = 0; l < dataset.languages().size(); ++l) {
    captions.push_back(captions_of(dataset, images, static_cast<int>(l), options.split));
    work += captions.back().captions.size();
  }

  Evaluation result;
  result.table = empty_table(system, options.split, images.size());
  Progress bar("evaluate " + options.split, work);
  Progress* progress = options.progress ? &bar : nullptr;
  torch::Tensor image_vectors;
  for (std::size_t l = 0; l < captions.size(); ++l) {
    const int language = experiment.system_language[l];
    const auto add = [&](const LanguageRecall& recall, double spread) {
      add_row(result.table, recall, dataset, l, images);
      result.caption_spread.push_back(spread);
    };
    if (system.compares_pairs()) {
      const ScoreMatrix scores = score_pairs(system, *experiment.builder, images,
                                             captions[l].captions, language, progress);
      add(measure_recall(scores, captions[l].owners), 1.0);  // no vectors, no one point
      continue;
    }
    if (!image_vectors.defined() || !system.shares_image_space()) {
      image_vectors = encode_images(system, *experiment.builder, images, language, progress);
    }
    const torch::Tensor caption_vectors =
        encode_captions(system, *experiment.builder, captions[l].captions, language, progress);
    add(measure_recall_in_folds(vector_rows(image_vectors), vector_rows(caption_vectors),
                                captions[l].owners, options.folds, system.score()),
        1.0 - caption_vectors.mean(0).square().sum().item<double>());
  }
  return result;
}

}  // namespace hinny
