#include "training/trainer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/phases.h"
#include "base/progress.h"
#include "base/random.h"
#include "training/batch_queue.h"
#include "training/event_file.h"
#include "training/metrics_log.h"
#include "training/model_card.h"
#include "training/model_files.h"
#include "training/schedule.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kCollapsed = 0.02;  // spread of the caption vectors that counts as one point
constexpr int kPatienceWithCollapse = 3;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::unique_ptr<Sampler> make_sampler(const Experiment& e) {
  const SampleSettings& settings = e.recipe.sample;
  SamplerOptions options;
  options.images_per_batch = static_cast<int>(settings.images_per_batch);
  options.captions_per_image = static_cast<int>(settings.captions_per_image);
  for (const auto& [language, count] : settings.captions_by_language) {
    options.captions_by_language[language] = static_cast<int>(count);
  }
  options.caption_pairs = settings.caption_pairs;
  options.replacement = settings.replacement == "fill" ? Replacement::fill : Replacement::none;
  options.groups = settings.groups;
  options.seed = static_cast<std::uint64_t>(e.recipe.train.seed);
  std::vector<int> images = usable_images(e.features, e.dataset.split("train"), "train");
  return settings.by == "captions" ? sample_captions(e.dataset, std::move(images), options)
                                   : sample_images(e.dataset, std::move(images), options);
}

AdamOptions adam_options(const TrainSettings& settings) {
  AdamOptions options;
  options.weight_decay = settings.weight_decay;
  options.decoupled = settings.optimiser == "adamw";
  return options;
}

class Trainer {
 public:
  Trainer(Experiment& experiment, fs::path run, const TrainingOptions& options)
      : e_(experiment),
        run_(std::move(run)),
        options_(options),
        settings_(experiment.recipe.train),
        sampler_(make_sampler(experiment)),
        adam_(*experiment.system, adam_options(settings_)),
        per_epoch_(sampler_->batches_per_epoch()),
        pretraining_(per_epoch_ * experiment.recipe.model.pretrain.epochs),
        total_(pretraining_ + per_epoch_ * settings_.epochs) {
    for (const Image& image : e_.dataset.images()) has_validation_ |= image.split == "val";
  }

  TrainingResult run() {
    start();
    if (!state_.finished) {
      Progress progress("train", static_cast<std::uint64_t>(total_),
                        static_cast<std::uint64_t>(state_.step));
      for (std::int64_t epoch = state_.step / per_epoch_; state_.step < total_ && !state_.finished;
           ++epoch) {
        run_epoch(epoch, progress);
      }
      finish();
    }
    return {state_, best_};
  }

 private:
  void start() {
    if (options_.resume && fs::exists(checkpoint_file(run_))) {
      state_ = read_checkpoint(run_, e_, adam_);
    }
    if (state_.finished) return;
    if (has_validation_) report_left_out(e_.features, e_.dataset.split("val"), "val");
    log_ = std::make_unique<MetricsLog>(run_ / "metrics.jsonl", state_.step);
    if (options_.tensorboard) {
      events_ = std::make_unique<EventFile>(run_ / "tensorboard", state_.step);
    }
    checkpointed_ = Clock::now();
  }

  void run_epoch(std::int64_t epoch, Progress& progress) {
    const std::vector<BatchPlan> plans = sampler_->epoch(epoch);
    const auto rest = std::span(plans).subspan(static_cast<std::size_t>(state_.step % per_epoch_));
    BatchQueue queue(*e_.builder, rest);
    for (const BatchPlan& plan : rest) {
      step(plan, queue);
      progress.update(static_cast<std::uint64_t>(state_.step), note(epoch));
      if (validates_now()) validate();
      if (state_.finished) return;
      if (interrupted()) {
        write_checkpoint(run_, e_, adam_, state_);
        throw Interrupted(
            fmt::format("stopped after batch {} of {}; go on with --resume", state_.step, total_));
      }
      if (seconds_since(checkpointed_) > options_.checkpoint_seconds) checkpoint();
    }
  }

  void step(const BatchPlan& plan, BatchQueue& queue) {
    const auto start = Clock::now();
    set_stage();
    // Each step draws from a generator of its own, so that nothing of it has to be saved.
    torch::manual_seed(mix_seed({static_cast<std::uint64_t>(settings_.seed), 0x5eedU,
                                 static_cast<std::uint64_t>(state_.step)}));
    const torch::Tensor loss = loss_of(next_batch(queue));
    {
      const InPhase phase(Phase::backward);
      loss.backward();
    }
    const InPhase phase(Phase::optimiser);
    if (settings_.clip_norm > 0) adam_.clip(settings_.clip_norm);
    adam_.step(rate_of(state_.step));
    ++state_.step;
    record(loss.item<double>(), plan, seconds_since(start));
  }

  void set_stage() {
    if (state_.step < pretraining_) return e_.system->set_stage(Stage::pretrain, 0);
    const std::int64_t step = state_.step - pretraining_;
    const bool warmup = step < per_epoch_ * e_.recipe.model.loss.warmup_epochs;
    e_.system->set_stage(warmup ? Stage::warmup : Stage::full,
                         static_cast<double>(step) / static_cast<double>(total_ - pretraining_));
    // What pretraining never touched must not start with its count of steps.
    if (step == 0) adam_.reset();
  }

  // The schedule begins after pretraining.
  double rate_of(std::int64_t step) const {
    if (step < pretraining_) return settings_.learning_rate;
    return settings_.learning_rate *
           schedule_factor(settings_, step - pretraining_, total_ - pretraining_, per_epoch_);
  }

  Batch next_batch(BatchQueue& queue) const {
    const InPhase phase(Phase::batch);
    Batch batch = queue.next();
    for (Batch::Language& entry : batch.languages) {
      entry.language = e_.system_language[static_cast<std::size_t>(entry.language)];
    }
    return batch;
  }

  torch::Tensor loss_of(const Batch& batch) {
    const InPhase phase(Phase::layers);
    e_.system->train();
    adam_.zero_gradients();
    torch::Tensor total;
    for (const LossTerm& term : e_.system->losses(batch)) {
      const torch::Tensor part = term.weight * term.value;
      total = total.defined() ? total + part : part;
    }
    if (!total.defined()) throw Failure("a batch without captions");
    return total;
  }

  void record(double loss, const BatchPlan& plan, double seconds) {
    if (!std::isfinite(loss)) {
      throw Failure(fmt::format(
          "the loss is {} after batch {}: try a lower train.learning_rate or train.clip_norm", loss,
          state_.step));
    }
    TrainingState::Block& block = state_.block;
    state_.seconds += seconds;
    block.seconds += seconds;
    block.loss += loss;
    ++block.steps;
    for (const LanguageBatch& language : plan.languages) {
      block.captions += static_cast<double>(language.captions.size());
    }
    block.captions += 2 * static_cast<double>(plan.pairs.size());
    if (state_.step % settings_.log_every == 0) write_block();
  }

  void write_block() {
    TrainingState::Block& block = state_.block;
    if (block.steps == 0) return;
    const double loss = block.loss / static_cast<double>(block.steps);
    const double rate = rate_of(state_.step - 1);
    log_->add({{"step", state_.step},
               {"epoch", static_cast<double>(state_.step) / static_cast<double>(per_epoch_)},
               {"loss", loss},
               {"learning_rate", rate},
               {"captions_per_second", std::round(block.captions / block.seconds)}});
    if (events_) {
      events_->scalar("loss", state_.step, loss);
      events_->scalar("learning_rate", state_.step, rate);
    }
    last_loss_ = loss;
    speed_ = block.captions / block.seconds;
    block = {};
  }

  std::string note(std::int64_t epoch) const {
    const TrainingState::Block& block = state_.block;
    const bool fresh = block.steps > 0;
    std::string text =
        fmt::format("{}, loss {:.4f}, {:.0f} captions/s", epoch_name(epoch),
                    fresh ? block.loss / static_cast<double>(block.steps) : last_loss_,
                    fresh ? block.captions / block.seconds : speed_);
    if (state_.best_score >= 0) text += fmt::format(", best mR {:.1f}", state_.best_score);
    return text;
  }

  std::string epoch_name(std::int64_t epoch) const {
    const std::int64_t before = e_.recipe.model.pretrain.epochs;
    return epoch < before ? fmt::format("pretraining {}/{}", epoch + 1, before)
                          : fmt::format("epoch {}/{}", epoch + 1 - before, settings_.epochs);
  }

  bool validates_now() const {
    if (state_.step <= pretraining_) return false;  // nothing to compare with images yet
    const std::int64_t every = settings_.validate_every > 0 ? settings_.validate_every : per_epoch_;
    return state_.step % every == 0 || state_.step == total_;
  }

  void validate() {
    if (has_validation_) {
      judge(evaluate_validation());
    } else {
      keep_best(0, {});  // no validation images: the latest model is the best
    }
    checkpoint();
  }

  Evaluation evaluate_validation() {
    const InPhase phase(Phase::validation);
    EvaluationOptions options;
    options.progress = false;
    return evaluate(e_, options);
  }

  void judge(const Evaluation& result) {
    const double score = score_of(result.table);
    bool collapsed = false;
    nlohmann::json by_language;
    for (std::size_t l = 0; l < result.table.languages.size(); ++l) {
      const LanguageRecall& recall = result.table.languages[l];
      by_language[recall.language] = recall.mean();
      if (events_) events_->scalar("validation/" + recall.language, state_.step, recall.mean());
      collapsed |= result.caption_spread[l] < kCollapsed && near_chance(recall, result);
    }
    watch_collapse(collapsed);
    log_->add({{"step", state_.step}, {"validation", score}, {"languages", by_language}});
    if (events_) events_->scalar("validation/average", state_.step, score);
    ++state_.validations_since_best;
    if (score > state_.best_score) {
      keep_best(score, result.table);
    } else if (settings_.patience > 0 && state_.validations_since_best >= settings_.patience) {
      state_.finished = true;
      fmt::print(stderr, "no better mR in {} validations: stopped early\n", settings_.patience);
    }
  }

  double score_of(const RecallTable& table) const {
    for (const LanguageRecall& recall : table.languages) {
      if (recall.language == settings_.best_by) return recall.mean();
    }
    return table.average();
  }

  // Captions may lie close together and still be told apart.
  static bool near_chance(const LanguageRecall& recall, const Evaluation& result) {
    const double chance = 100.0 * (1 + 5 + 10) / 3 / static_cast<double>(result.table.images);
    return recall.mean() < 4 * chance;
  }

  // A young model may lie in one point for a while; one that stays there needs help.
  void watch_collapse(bool collapsed) {
    collapsed_validations_ = collapsed ? collapsed_validations_ + 1 : 0;
    if (collapsed_validations_ != kPatienceWithCollapse) return;
    fmt::print(stderr,
               "warning: the captions have lain almost in one point for {} validations: the loss "
               "has collapsed. Try loss.warmup_epochs, better text.vectors or another "
               "train.learning_rate (docs/recipes.md)\n",
               collapsed_validations_);
  }

  void keep_best(double score, const std::optional<RecallTable>& table) {
    state_.best_score = score;
    state_.best_step = state_.step;
    state_.validations_since_best = 0;
    best_ = table;
    write_model_weights(run_, e_);
  }

  void checkpoint() {
    const InPhase phase(Phase::checkpoint);
    write_checkpoint(run_, e_, adam_, state_);
    checkpointed_ = Clock::now();
  }

  void finish() {
    write_block();
    state_.finished = true;
    if (!best_ && has_validation_) reload_best();
    write_model_card(run_, e_, state_, best_);
    checkpoint();
  }

  // After a resumed training the best table may be that of an earlier process.
  void reload_best() {
    const NamedTensors last = copies(tensors_of(*e_.system));
    load_tensors(*e_.system, read_tensors(run_ / kWeightsFile).tensors, "", run_ / kWeightsFile);
    best_ = evaluate_validation().table;
    load_tensors(*e_.system, last, "", run_);
  }

  static NamedTensors copies(const NamedTensors& tensors) {
    NamedTensors result;
    for (const auto& [name, tensor] : tensors) result[name] = tensor.detach().clone();
    return result;
  }

  Experiment& e_;
  fs::path run_;
  TrainingOptions options_;
  const TrainSettings& settings_;
  std::unique_ptr<Sampler> sampler_;
  Adam adam_;
  std::int64_t per_epoch_;
  std::int64_t pretraining_;  // batches of it
  std::int64_t total_;        // batches in all
  TrainingState state_;
  std::optional<RecallTable> best_;
  std::unique_ptr<MetricsLog> log_;
  std::unique_ptr<EventFile> events_;
  Clock::time_point checkpointed_;
  double last_loss_ = 0;
  double speed_ = 0;
  bool has_validation_ = false;
  int collapsed_validations_ = 0;
};

}  // namespace

TrainingResult train(Experiment& experiment, const fs::path& run, const TrainingOptions& options) {
  return Trainer(experiment, run, options).run();
}

}  // namespace hinny
