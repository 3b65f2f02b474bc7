#include "training/loop/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/phases.h"
#include "base/terminal_text.h"
#include "data/sampler.h"
#include "training/evaluation/check_validation.h"
#include "training/evaluation/evaluate.h"
#include "training/evaluation/spread.h"
#include "training/evaluation/training_hubs.h"
#include "training/experiment/model_files.h"
#include "training/loop/batch_queue.h"
#include "training/loop/data_identity.h"
#include "training/loop/model_card.h"
#include "training/loop/parallel_loss.h"
#include "training/processes/processes.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr int kPatienceWithCollapse = 3;
constexpr const char* kSoFar = "collapse so far";

std::unique_ptr<Sampler> make_sampler(const Experiment& e) {
  const SampleSettings& settings = e.recipe.sample;
  SamplerOptions options;
  options.images_per_batch = static_cast<int>(settings.images_per_batch);
  options.captions_per_image = static_cast<int>(settings.captions_per_image);
  for (const auto& [language, count] : settings.captions_by_language) {
    options.captions_by_language[language] = static_cast<int>(count);
  }
  options.caption_pairs = settings.caption_pairs;
  options.replacement = settings.replacement;
  options.epoch_of = settings.epoch;
  options.groups = settings.groups;
  options.seed = static_cast<std::uint64_t>(e.recipe.train.seed);
  const std::vector<int> images = train_images(e.dataset, e.features);
  return settings.by == SampleBy::captions ? sample_captions(e.dataset, images, options)
                                           : sample_images(e.dataset, images, options);
}

double captions_in(const BatchPlan& plan) {
  double captions = 2 * static_cast<double>(plan.pairs.size());
  for (const LanguageBatch& language : plan.languages) {
    captions += static_cast<double>(language.captions.size());
  }
  return captions;
}

// Whether some image comes with two captions in a batch: what pretraining learns from.
bool has_caption_pairs(const std::vector<BatchPlan>& plans, bool of_one_language) {
  return std::ranges::any_of(plans, [&](const BatchPlan& plan) {
    std::set<int> captioned;
    for (const LanguageBatch& language : plan.languages) {
      if (of_one_language) captioned.clear();
      for (const int row : language.rows) {
        if (!captioned.insert(row).second) return true;
      }
    }
    return false;
  });
}

// While it lives, the system has the weights between what it began with and what it has learnt that
// train.keep says: those on the line from one to the other are good in both worlds (Wortsman et al.
// 2022, "Robust fine-tuning of zero-shot models"). Rows of new words are as they were learnt.
class MixedWeights {
 public:
  explicit MixedWeights(Experiment& experiment) : system_(*experiment.system) {
    const torch::NoGradGuard no_gradient;
    const NamedTensors tensors = tensors_of(system_);
    for (const auto& [name, old] : experiment.began_with) {
      const auto found = tensors.find(name);
      if (found == tensors.end() || !old.is_floating_point()) continue;
      const torch::Tensor& tensor = found->second;
      learnt_[name] = tensor.detach().clone();
      torch::Tensor known = tensor.dim() > 0 ? tensor.slice(0, 0, old.size(0)) : tensor;
      known.copy_(known.lerp(old.to(tensor.device()), experiment.recipe.train.keep));
    }
  }
  ~MixedWeights() {
    const torch::NoGradGuard no_gradient;
    const NamedTensors tensors = tensors_of(system_);
    for (const auto& [name, was] : learnt_) tensors.at(name).copy_(was);
  }
  MixedWeights(const MixedWeights&) = delete;
  MixedWeights& operator=(const MixedWeights&) = delete;

 private:
  RetrievalSystem& system_;
  NamedTensors learnt_;
};

// Images against captions, or lines alone against the pivot's.
class RetrievalTask : public TrainingTask {
 public:
  RetrievalTask(Experiment& experiment, fs::path run)
      : e_(experiment),
        run_(std::move(run)),
        sampler_(experiment.sentences_alone ? nullptr : make_sampler(experiment)),
        has_validation_(
            can_validate(experiment.dataset, experiment.features, experiment.sentences_alone)) {
    if (experiment.parallel) parallel_ = std::make_unique<ParallelLoss>(experiment);
  }

  torch::nn::Module& model() override { return *e_.system; }
  std::vector<ParameterGroup> parameter_groups() const override {
    return e_.system->parameter_groups();
  }
  void fit_sizes(const NamedTensors& tensors, const std::string& prefix) override {
    e_.system->fit_sizes(tensors, prefix);
  }

  std::int64_t batches_per_epoch() const override {
    return sampler_ ? sampler_->batches_per_epoch() : parallel_->batches_per_pass();
  }
  std::int64_t pretraining_epochs() const override { return e_.recipe.model.pretrain.epochs; }
  std::int64_t warmup_epochs() const override { return e_.recipe.model.loss.warmup_epochs; }
  void start_epoch(std::int64_t epoch, std::int64_t from) override {
    step_ = epoch * batches_per_epoch() + from;
    if (!sampler_) return;
    queue_.reset();  // its thread reads the plans
    plans_ = sampler_->epoch(epoch);
    if (epoch == 0 && pretraining_epochs() > 0) check_caption_pairs();
    next_ = static_cast<std::size_t>(from);
    queue_ = std::make_unique<BatchQueue>(e_.builder, std::span(plans_).subspan(next_));
  }
  void set_stage(Stage stage, const Done& done) override {
    stage_ = stage;
    e_.system->set_stage(stage, done);
  }
  std::string loss_in(Stage stage) const override { return e_.system->loss_in(stage); }

  BatchLoss next_loss() override {
    if (!sampler_) {
      e_.system->train();
      return {parallel_->of_batch(step_++), static_cast<double>(parallel_->sentences_per_batch())};
    }
    const double captions = captions_in(plans_.at(next_++));
    BatchLoss loss{loss_of(next_batch()), captions};
    ++step_;
    return loss;
  }

  const char* units() const override { return "captions"; }
  const char* score_name() const override { return "mR"; }
  bool validates() const override { return has_validation_; }
  Judgement validate() override {
    const MixedWeights mixed(e_);
    Evaluation result = evaluate_validation();
    Judgement judgement{score_of(result.table), {}, result.spread};
    for (const LanguageRecall& recall : result.table.languages) {
      judgement.by_language[recall.language] = recall.mean();
    }
    watch_collapse(collapse_in(result));
    judged_ = std::move(result.table);
    return judgement;
  }
  void store_best() override {
    best_ = judged_;
    best_collapsed_ = collapsed_;
    const MixedWeights mixed(e_);
    write_model_weights(run_, e_);
  }
  void finish(const TrainingState& state) override {
    // A language that is added leaves what the model remembers as it was.
    if (e_.hubs) write_hubs(run_ / kHubsFile, *e_.hubs);
    const bool remembers = e_.recipe.hubs.size > 0 && !e_.hubs && !e_.sentences_alone;
    if (remembers || !best_) {
      with_best([&] {
        // After a resumed training the best table may be that of an earlier process.
        if (!best_ && has_validation_) judge_best();
        if (!has_validation_) best_collapsed_ = collapse_in_training(e_);
        if (remembers) write_hubs(run_ / kHubsFile, remember_hubs(e_));
      });
    }
    e_.warnings.forget(kSoFar);
    e_.warnings.say_again();
    if (best_collapsed_) {
      e_.warnings.say("collapse", *best_collapsed_);
    } else if (collapsed_) {
      e_.warnings.say("collapse", fmt::format("at the end {}. The model that is kept is that of "
                                              "batch {}, before",
                                              *collapsed_, state.best_step));
    }
    write_model_card(run_, e_, state, best_);
  }

  bool has_validation() const { return has_validation_; }
  const std::optional<RecallTable>& best() const { return best_; }

 private:
  void check_caption_pairs() const {
    if (has_caption_pairs(plans_, e_.recipe.model.loss.neighbours == NeighbourChoice::own)) return;
    throw InputError("pretraining without a photograph that has two captions in a batch",
                     "sample.captions_per_image = 2, pretrain.epochs = 0, or another language "
                     "(with loss.neighbours = any)");
  }

  Batch next_batch() {
    const InPhase phase(Phase::batch);
    return queue_->next();
  }

  torch::Tensor loss_of(const Batch& batch) {
    const InPhase phase(Phase::layers);
    e_.system->train();
    torch::Tensor total = total_loss(e_.system->losses(batch));
    if (!total.defined()) throw Failure("a batch without captions");
    if (parallel_ == nullptr || stage_ == Stage::pretrain) return total;
    const torch::Tensor of_lines = parallel_->of_batch(step_);
    return of_lines.defined() ? total + of_lines : total;
  }

  Evaluation evaluate_validation() {
    EvaluationOptions options;
    options.progress = false;
    return evaluate(e_, options);
  }

  double score_of(const RecallTable& table) const {
    for (const LanguageRecall& recall : table.languages) {
      if (recall.language == e_.recipe.train.best_by) return recall.mean();
    }
    return table.average();
  }

  void judge_best() {
    Evaluation result = evaluate_validation();
    best_collapsed_ = collapse_in(result);
    best_ = std::move(result.table);
  }

  // A young model may lie in one point for a while; one that stays there needs help, and one that
  // ends there is said to by finish().
  void watch_collapse(std::optional<std::string> collapsed) {
    collapsed_ = std::move(collapsed);
    collapsed_validations_ = collapsed_ ? collapsed_validations_ + 1 : 0;
    if (collapsed_validations_ != kPatienceWithCollapse) return;
    e_.warnings.say(kSoFar,
                    fmt::format("for {} validations {}", kPatienceWithCollapse, *collapsed_));
  }

  // The system as it was when it was best; then again as it is.
  template <typename Use>
  void with_best(const Use& use) {
    NamedTensors last;
    for (const auto& [name, tensor] : tensors_of(*e_.system)) last[name] = tensor.detach().clone();
    load_tensors(*e_.system, read_tensors(run_ / kWeightsFile).tensors, "", run_ / kWeightsFile);
    use();
    load_tensors(*e_.system, last, "", run_);
  }

  Experiment& e_;
  fs::path run_;
  std::unique_ptr<Sampler> sampler_;
  bool has_validation_;
  std::vector<BatchPlan> plans_;  // of this epoch
  std::size_t next_ = 0;
  std::unique_ptr<ParallelLoss> parallel_;
  std::int64_t step_ = 0;
  Stage stage_ = Stage::full;
  std::unique_ptr<BatchQueue> queue_;
  std::optional<RecallTable> judged_, best_;
  std::optional<std::string> collapsed_, best_collapsed_;  // the last judged model's, the best's
  int collapsed_validations_ = 0;
};

}  // namespace

TrainingResult train(Experiment& experiment, const fs::path& run, const TrainingOptions& options) {
  if (options.processes != nullptr && !options.processes->first()) experiment.warnings.silence();
  if (!experiment.sentences_alone && !kTaught.contains(experiment.recipe.model.system)) {
    warn_of_features(experiment.features, train_images(experiment.dataset, experiment.features),
                     experiment.warnings);
  }
  RetrievalTask task(experiment, run);
  if (task.has_validation() && !kTaught.contains(experiment.recipe.model.system)) {
    report_left_out(experiment.features, experiment.dataset.split("val"), "val");
  }
  TrainingOptions on_this = options;
  on_this.data = identity_of(experiment);
  const TrainingState state = run_training(task, experiment.recipe.train, run, on_this);
  return {state, task.best()};
}

}  // namespace hinny
