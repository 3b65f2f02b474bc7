#include "translation/train_translation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/phases.h"
#include "base/run_files.h"
#include "base/terminal_text.h"
#include "training/experiment/tensor_file.h"
#include "training/loop/data_identity.h"
#include "training/loop/model_card.h"
#include "translation/bleu.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct EncodedPair {
  std::vector<std::int32_t> source, target;
  int image = 0;
};

class TranslationTask : public TrainingTask {
 public:
  TranslationTask(TranslationExperiment& experiment, fs::path run)
      : e_(experiment), run_(std::move(run)) {
    const TranslationSettings& settings = e_.model.recipe.translation;
    encode_pairs(settings.max_words);
    std::vector<std::int64_t> lengths;
    for (const EncodedPair& pair : pairs_) {
      lengths.push_back(static_cast<std::int64_t>(pair.target.size()));
    }
    batches_ =
        std::make_unique<PairBatches>(std::move(lengths), settings.batch_words,
                                      static_cast<std::uint64_t>(e_.model.recipe.train.seed));
    for (const SentencePairs& pairs : e_.val) validates_ |= !pairs.pairs.empty();
  }

  torch::nn::Module& model() override { return *e_.model.net; }
  std::int64_t batches_per_epoch() const override { return batches_->count(); }
  void start_epoch(std::int64_t epoch, std::int64_t from) override {
    plans_ = batches_->epoch(epoch);
    next_ = static_cast<std::size_t>(from);
  }

  BatchLoss next_loss() override {
    const InPhase phase(Phase::layers);
    e_.model.net->train();
    std::vector<std::vector<std::int32_t>> sources, targets;
    std::vector<int> images;
    double words = 0;
    for (const std::size_t i : plans_.at(next_++)) {
      sources.push_back(pairs_[i].source);
      targets.push_back(pairs_[i].target);
      images.push_back(pairs_[i].image);
      words += static_cast<double>(pairs_[i].target.size());
    }
    const torch::Device device = e_.model.device;
    const torch::Tensor seen = e_.model.sees() ? e_.regions(images).to(device) : torch::Tensor();
    return {
        e_.model.net->loss(caption_batch(sources, device), seen, caption_batch(targets, device)),
        words};
  }

  const char* units() const override { return "words"; }
  const char* score_name() const override { return "BLEU"; }
  bool validates() const override { return validates_; }

  Judgement validate() override {
    Judgement judgement;
    TranslateOptions greedy;
    greedy.beam = 1;
    for (std::size_t d = 0; d < e_.val.size(); ++d) {
      if (e_.val[d].pairs.empty()) continue;
      const Direction& direction = e_.model.directions[d];
      const Measured measured = translate_pairs(e_, direction, e_.val[d], greedy);
      judgement.by_language[direction.name()] =
          bleu(measured.translations, {measured.references},
               {.tokeniser = tokeniser_for(direction.to), .lower_case = true})
              .score;
    }
    for (const auto& [direction, score] : judgement.by_language) judgement.score += score;
    judgement.score /= static_cast<double>(judgement.by_language.size());
    return judgement;
  }

  void store_best() override { write_translation_weights(run_, e_.model); }

  void finish(const TrainingState& state) override {
    const Recipe& recipe = e_.model.recipe;
    std::string text = fmt::format(
        "# A Hinny model that translates: {}\n\n{}.\n\n- Directions: {}\n- Trained on: `{}` ({} "
        "pairs of captions)\n{}\n",
        name_of(recipe.model.system), recipe.about.summary,
        fmt::join(names_of(e_.model.directions), ", "), e_.dataset.folder().filename().string(),
        pairs_.size(), how_trained(state, recipe, e_.model.device, units()));
    if (validates_) {
      std::set<std::string_view> tokenisers;
      for (const Direction& direction : e_.model.directions) {
        tokenisers.insert(name_of(tokeniser_for(direction.to)));
      }
      text += fmt::format("- Validation, greedy, BLEU (tok:{}) of lower-cased text: {:.1f}\n",
                          fmt::join(tokenisers, ", "), state.best_score);
    }
    text +=
        "\nEvery setting is in `recipe.toml`, the course of the training in `metrics.jsonl`.\n"
        "Use it with `hinny translate`, measure it with `hinny eval`.\n";
    write_file(run_ / "README.md", text);
  }

 private:
  void encode_pairs(std::int64_t max_words) {
    std::size_t long_ones = 0;
    for (std::size_t d = 0; d < e_.train.size(); ++d) {
      const Direction& direction = e_.model.directions[d];
      for (const SentencePair& pair : e_.train[d].pairs) {
        EncodedPair encoded{
            e_.model.text.source(text_of(pair.source), direction.from, direction.to),
            e_.model.text.target(text_of(pair.target), direction.to), pair.image};
        const auto longest =
            static_cast<std::int64_t>(std::max(encoded.source.size(), encoded.target.size()));
        if (longest > max_words) {
          ++long_ones;
        } else {
          pairs_.push_back(std::move(encoded));
        }
      }
    }
    if (long_ones > 0) {
      print_line(stderr, "{} pairs with more than {} subwords on a side are left out\n", long_ones,
                 max_words);
    }
    if (pairs_.empty()) {
      throw InputError("every pair is longer than translation.max_words", "shorter captions");
    }
  }

  const std::string& text_of(int caption) const {
    return e_.dataset.captions()[static_cast<std::size_t>(caption)].text;
  }

  TranslationExperiment& e_;
  fs::path run_;
  std::vector<EncodedPair> pairs_;
  std::unique_ptr<PairBatches> batches_;
  std::vector<std::vector<std::size_t>> plans_;  // of this epoch
  std::size_t next_ = 0;
  bool validates_ = false;
};

}  // namespace

Measured translate_pairs(TranslationExperiment& experiment, const Direction& direction,
                         const SentencePairs& pairs, const TranslateOptions& options,
                         Progress* progress) {
  Measured result{direction, {}, {}, {}};
  const auto& captions = experiment.dataset.captions();
  std::vector<int> images;
  for (const SentencePair& pair : pairs.pairs) {
    images.push_back(pair.image);
    result.sources.push_back(captions[static_cast<std::size_t>(pair.source)].text);
    result.references.push_back(captions[static_cast<std::size_t>(pair.target)].text);
  }
  for (const auto& found : translate(experiment.model, direction, result.sources, options,
                                     experiment.regions_of(images), progress)) {
    result.translations.push_back(found.empty() ? "" : found.front().text);
  }
  return result;
}

TrainingState train(TranslationExperiment& experiment, const fs::path& run,
                    const TrainingOptions& options) {
  TranslationTask task(experiment, run);
  TrainingOptions on_this = options;
  on_this.data = identity_of(experiment.dataset, experiment.features.get());
  return run_training(task, experiment.model.recipe.train, run, on_this);
}

}  // namespace hinny
