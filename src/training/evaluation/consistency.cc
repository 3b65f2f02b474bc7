#include "training/evaluation/consistency.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <torch/optim/adam.h>
#include <torch/utils.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/run_files.h"
#include "data/translations.h"
#include "model/model_config.h"
#include "nn/product.h"
#include "nn/score_mixer.h"
#include "nn/triplet.h"
#include "retrieval/score.h"
#include "retrieval/score_matrix.h"
#include "training/evaluation/split_scorer.h"

namespace hinny {
namespace {

constexpr int kIterations = 30;                               // the paper's
constexpr double kLearningRate = 1e-2;                        // ours; the paper names none
constexpr std::int64_t kFewestImages = 11;                    // the ten hardest negatives of each
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 28;  // of hidden units at once: 1 GB

// Captions of one language with their scores by each of the languages that they are known in.
struct Scores {
  torch::Tensor values;  // [captions, images, languages]
  SplitCaptions captions;
};

class ConsistencyEvaluation {
 public:
  ConsistencyEvaluation(Experiment& experiment, const ConsistencyOptions& options)
      : experiment_(experiment), options_(options), system_(*experiment.system) {
    const bool known = options.way == "average" || options.way == "learned";
    if (!known) throw InputError(fmt::format("no --clc '{}'", options.way), "average or learned");
    if (system_.score() != Score::dot || system_.compares_pairs() || experiment.sentences) {
      throw InputError(
          "cross-lingual consistency of a model that compares by order or reads "
          "sentence vectors",
          "a model of words and dot products");
    }
    if (languages().size() < 2) {
      throw InputError("cross-lingual consistency in one language", "two languages or more");
    }
  }

  Consistency result() {
    const std::uint64_t pairs = languages().size() * languages().size();
    const bool learns = options_.way == "learned";
    Progress bar("evaluate " + options_.split, learns ? 2 * pairs + kIterations : pairs);
    progress_ = options_.progress ? &bar : nullptr;
    std::optional<ScoreMixer> mixer;
    if (learns) mixer = learn();
    const torch::NoGradGuard no_gradient;
    SplitScorer scorer(experiment_, options_.split);
    RecallTable table = scorer.table();
    for (std::size_t l = 0; l < languages().size(); ++l) {
      const Scores scores = score(scorer, l);
      const ScoreMatrix matrix =
          score_matrix(mixer ? mix(*mixer, scores.values) : scores.values.mean(2));
      scorer.add_row(table, measure_recall(matrix, scores.captions.owners), l);
    }
    progress_ = nullptr;
    if (!mixer) return {std::move(table), {}};
    for (const auto& parameter : mixer->parameters()) table.search_parameters += parameter.numel();
    const torch::Tensor weights = mixer->weights();
    Consistency learnt{std::move(table), {}};
    for (std::size_t l = 0; l < languages().size(); ++l) {
      learnt.weights[languages()[l]] = weights[static_cast<std::int64_t>(l)].item<double>();
    }
    return learnt;
  }

 private:
  const std::vector<std::string>& languages() const { return experiment_.dataset.languages(); }

  // Which languages captions of language `l` are scored in, its own first place as in languages().
  std::vector<std::size_t> spoken(std::size_t l) const {
    std::vector<std::size_t> all;
    for (std::size_t other = 0; other < languages().size(); ++other) {
      const auto from = translated_languages(options_.translations, languages()[other]);
      const bool there = std::ranges::find(from, languages()[l]) != from.end();
      // What lacks is an error where every language is needed, and when reading says which.
      if (other == l || there || options_.way == "learned") all.push_back(other);
    }
    if (all.size() > 1) return all;
    throw InputError(
        options_.translations, fmt::format("no translations of '{}'", languages()[l]),
        fmt::format("files such as {}-{}.tsv", languages()[l], languages()[l == 0 ? 1 : 0]));
  }

  // [captions, dim] of captions of language `l`, said in language `other`.
  torch::Tensor said_in(SplitScorer& scorer, const SplitCaptions& captions, std::size_t l,
                        std::size_t other) {
    if (other == l) return scorer.caption_vectors(l, captions.captions, nullptr);
    const Dataset& all = experiment_.dataset;
    std::vector<bool> keep(all.captions().size(), false);
    for (const int caption : captions.captions) keep[static_cast<std::size_t>(caption)] = true;
    const Dataset translated = translate_captions(all.with_captions(keep), scorer.split(),
                                                  options_.translations, languages()[other]);
    const TokenisedCaptions words(translated, experiment_.recipe.model.text, languages()[other]);
    const Corpus corpus(words, experiment_.vocabularies);
    const BatchBuilder builder(corpus, experiment_.features, experiment_.transform, nullptr,
                               experiment_.system_language, experiment_.builder.device());
    const SplitCaptions same =
        captions_of(translated, scorer.images(), static_cast<int>(l), scorer.split());
    return encode_captions(system_, builder, same.captions, experiment_.system_language[other],
                           nullptr);
  }

  Scores score(SplitScorer& scorer, std::size_t l) {
    Scores result{{}, scorer.captions(l)};
    std::vector<torch::Tensor> by_language;
    for (const std::size_t other : spoken(l)) {
      stop_if_interrupted();
      if (progress_ != nullptr) progress_->add();
      by_language.push_back(row_products(said_in(scorer, result.captions, l, other),
                                         scorer.image_vectors(other, nullptr)));
    }
    result.values = at::stack(by_language, 2);
    return result;
  }

  ScoreMixer learn() {
    SplitScorer scorer(experiment_, options_.learn_from);
    const std::size_t images = scorer.images().size();
    if (static_cast<std::int64_t>(images) < kFewestImages) {
      throw InputError(
          fmt::format("{} images in split '{}' to learn from", images, options_.learn_from),
          fmt::format("{} or more; or --clc average", kFewestImages));
    }
    std::vector<Scores> all;
    {
      const torch::NoGradGuard no_gradient;
      for (std::size_t l = 0; l < languages().size(); ++l) all.push_back(score(scorer, l));
    }
    ScoreMixer mixer(static_cast<std::int64_t>(languages().size()));
    torch::optim::Adam optimiser(mixer.parameters(), torch::optim::AdamOptions(kLearningRate));
    LossOptions loss = experiment_.recipe.model.loss;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      optimiser.zero_grad();
      for (const Scores& scores : all) {
        stop_if_interrupted();
        const auto rows = at::tensor(scores.captions.owners).to(at::kLong);
        triplet_loss(mix(mixer, scores.values), rows, loss).backward();
      }
      optimiser.step();
      if (progress_ != nullptr) progress_->add();
    }
    return mixer;
  }

  static torch::Tensor mix(ScoreMixer& mixer, const torch::Tensor& values) {
    if (values.size(0) * values.size(1) > kMostNumbers / ScoreMixer::kHidden) {
      if (at::GradMode::is_enabled()) {
        throw InputError(fmt::format("{} scores to learn from", values.size(0) * values.size(1)),
                         fmt::format("at most {}", kMostNumbers / ScoreMixer::kHidden));
      }
      const auto halves = values.chunk(2);
      return at::cat({mix(mixer, halves[0]), mix(mixer, halves[1])});
    }
    return mixer.forward(values);
  }

  Experiment& experiment_;
  const ConsistencyOptions& options_;
  RetrievalSystem& system_;
  Progress* progress_ = nullptr;
};

}  // namespace

Consistency evaluate_consistency(Experiment& experiment, const ConsistencyOptions& options) {
  return ConsistencyEvaluation(experiment, options).result();
}

void store_consistency(const std::filesystem::path& run, const Consistency& learnt) {
  const std::filesystem::path file = run / kConfigFile;
  ModelConfig config = read_model_config(file);
  config.consistency = learnt.weights;
  write_model_config(file, config);
}

}  // namespace hinny
