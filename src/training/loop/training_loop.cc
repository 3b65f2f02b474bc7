#include "training/loop/training_loop.h"

#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/utils.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/phases.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/terminal_text.h"
#include "nn/shards.h"
#include "training/loop/data_identity.h"
#include "training/loop/event_file.h"
#include "training/loop/metrics_log.h"
#include "training/loop/schedule.h"
#include "training/loop/weight_average.h"
#include "training/processes/gradient_sums.h"
#include "training/processes/processes.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

AdamOptions adam_options(const TrainSettings& settings) {
  AdamOptions options;
  options.weight_decay = settings.weight_decay;
  options.decoupled = settings.optimiser == Optimiser::adamw;
  return options;
}

class Loop {
 public:
  Loop(TrainingTask& task, const TrainSettings& settings, fs::path run,
       const TrainingOptions& options)
      : task_(task),
        settings_(settings),
        run_(std::move(run)),
        options_(options),
        processes_(options.processes),
        adam_(task.model(), task.parameter_groups(), adam_options(settings)),
        average_(task.model(), settings.average),
        per_epoch_(task.batches_per_epoch()),
        pretraining_(per_epoch_ * task.pretraining_epochs()) {
    const std::int64_t planned =
        settings.batches > 0 ? settings.batches : per_epoch_ * settings.epochs;
    state_.ends = {pretraining_ + planned};
    plan_more_epochs();
  }

  TrainingState run() {
    start();
    if (state_.finished) return state_;
    if (processes_ != nullptr) {
      sums_ = std::make_unique<GradientSums>(task_.model(), *processes_);
      exchanged_ = processes_->exchanged();
    }
    Progress progress("train", static_cast<std::uint64_t>(total()),
                      static_cast<std::uint64_t>(state_.step));
    for (std::int64_t epoch = state_.step / per_epoch_; state_.step < total() && !state_.finished;
         ++epoch) {
      run_epoch(epoch, progress);
    }
    finish();
    return state_;
  }

 private:
  void start() {
    const bool resumes = options_.resume && fs::exists(checkpoint_file(run_));
    if (processes_ != nullptr) {
      begin_together(resumes);
    } else if (resumes) {
      go_on(restore_checkpoint(read_tensors(checkpoint_file(run_)), checkpoint_file(run_), task_,
                               adam_, average_));
    }
    state_.data = options_.data;
    if (state_.finished || !writes()) return;
    log_ =
        std::make_unique<MetricsLog>(run_ / "metrics.jsonl", state_.step, state_.block.steps > 0);
    if (options_.tensorboard) {
      events_ = std::make_unique<EventFile>(run_ / "tensorboard", state_.step);
    }
    checkpointed_ = Clock::now();
  }

  // What process 0 begins with: its checkpoint, or its fresh weights.
  void begin_together(bool resumes) {
    check_same(*processes_, "recipe and data", outline());
    const fs::path file = checkpoint_file(run_);
    if (!shared_text(*processes_, resumes ? "resumes" : "").empty()) {
      const TensorFile stored = writes() ? read_tensors(file) : TensorFile{};
      go_on(restore_checkpoint(share_tensors(*processes_, stored), file, task_, adam_, average_));
      return;
    }
    const torch::NoGradGuard no_gradient;
    for (const auto& [name, tensor] : tensors_of(task_.model())) processes_->broadcast(tensor);
    average_.reset();
  }

  // Where the checkpoint stands, and what is to come after it.
  void go_on(TrainingState stored) {
    check_same_data(run_, stored.data, options_.data);
    if (stored.ends.empty()) stored.ends = {state_.ends.front()};  // an earlier version's
    state_ = std::move(stored);
    const std::size_t planned = state_.ends.size();
    plan_more_epochs();
    if (state_.ends.size() == planned || !writes()) return;
    fmt::print(
        stderr, "{} more epoch{}, to batch {} (so far: {}); {}\n", settings_.more_epochs.back(),
        settings_.more_epochs.back() == 1 ? "" : "s", total(), state_.step,
        settings_.schedule == Schedule::cosine
            ? fmt::format("the learning rate falls once more from {} to 0", settings_.learning_rate)
            : fmt::format("the schedule of the learning rate ({}) goes on, from {:.3g}",
                          name_of(settings_.schedule), rate_of(state_.step)));
  }

  // Each number of the settings that is not planned yet comes after what is planned, or after the
  // end of a training that has ended.
  void plan_more_epochs() {
    while (state_.ends.size() <= settings_.more_epochs.size()) {
      if (state_.finished) {
        if (state_.step < state_.ends.back()) {  // by train.patience
          const std::int64_t epochs = (state_.step + per_epoch_ - 1) / per_epoch_;
          state_.ends.back() = std::max(pretraining_, epochs * per_epoch_);
        }
        state_.validations_since_best = 0;
        state_.finished = false;
      }
      const std::int64_t more = settings_.more_epochs[state_.ends.size() - 1];
      state_.ends.push_back(state_.ends.back() + per_epoch_ * more);
    }
  }

  std::int64_t total() const { return state_.ends.back(); }

  // Of two trainings that are not the same, hardly ever the same.
  std::string outline() {
    std::string text = fmt::format("{} {}", per_epoch_, total());
    for (const auto& [what, hash] : options_.data) text += fmt::format(" {} {}", what, hash);
    for (const auto& named : task_.model().named_parameters()) {
      text += fmt::format(" {} {}", named.key(), fmt::join(named.value().sizes(), "x"));
    }
    return text;
  }

  // Process 0 of several, or the only one.
  bool writes() const { return processes_ == nullptr || processes_->first(); }

  void run_epoch(std::int64_t epoch, Progress& progress) {
    const std::int64_t end = std::min((epoch + 1) * per_epoch_, total());
    task_.start_epoch(epoch, state_.step % per_epoch_);
    while (state_.step < end) {
      step();
      progress.update(static_cast<std::uint64_t>(state_.step), note(epoch));
      if (validates_now()) validate();
      if (state_.finished) return;
      if (processes_ == nullptr ? interrupted() : interrupted_) {
        checkpoint();
        if (!writes()) throw Interrupted("stopped with process 0");
        throw Interrupted(
            fmt::format("stopped after batch {} of {}; the same command with --resume goes on",
                        state_.step, total()));
      }
      if (seconds_since(checkpointed_) > options_.checkpoint_seconds) checkpoint();
    }
  }

  void step() {
    const auto start = Clock::now();
    set_stage();
    // Each step draws from a generator of its own, so that nothing of it has to be saved.
    torch::manual_seed(mix_seed({static_cast<std::uint64_t>(settings_.seed), 0x5eedU,
                                 static_cast<std::uint64_t>(state_.step)}));
    adam_.zero_gradients();
    const InGroup together(processes_);
    const BatchLoss loss = task_.next_loss();
    if (loss.value.requires_grad()) learn(loss.value);
    ++state_.step;
    if (state_.step > pretraining_) average_.update(state_.step - pretraining_);
    record(loss.value.item<double>(), loss.units, seconds_since(start));
  }

  void learn(const torch::Tensor& loss) {
    if (sums_) sums_->start();
    {
      const InPhase phase(Phase::backward);
      (sums_ ? loss / processes_->size() : loss).backward();
    }
    if (sums_) {
      const InPhase phase(Phase::others);
      interrupted_ = sums_->finish(interrupted());
    }
    const InPhase phase(Phase::optimiser);
    adam_.step(rate_of(state_.step), settings_.clip_norm);
  }

  Stage stage_of(std::int64_t step) const {
    if (step < pretraining_) return Stage::pretrain;
    return step - pretraining_ < per_epoch_ * task_.warmup_epochs() ? Stage::warmup : Stage::full;
  }

  Done done() const {
    const std::int64_t after = std::max<std::int64_t>(0, state_.step - pretraining_);
    const auto planned = static_cast<double>(state_.ends.front() - pretraining_);
    return {std::min(1.0, static_cast<double>(after) / planned), after};
  }

  void set_stage() {
    const Stage stage = stage_of(state_.step);
    task_.set_stage(stage, done());
    // What pretraining never touched must not start with its count of steps, and what it ended with
    // may have other sizes now (TwoBranch::settle_latents).
    const bool starts = state_.step == pretraining_;
    const Stage before = state_.step > 0 ? stage_of(state_.step - 1) : stage;
    if (starts || (before != stage && task_.loss_in(before) != task_.loss_in(stage))) {
      adam_.reset();
    }
    if (starts) average_.reset();
  }

  // The schedule begins after pretraining.
  double rate_of(std::int64_t step) const {
    if (step < pretraining_) return settings_.learning_rate;
    return settings_.learning_rate * factor_of(step);
  }

  // A cosine has come to its end with the epochs that it was made for, and starts over with more.
  double factor_of(std::int64_t step) const {
    if (settings_.schedule == Schedule::cosine && step >= state_.ends.front()) {
      const auto end = std::ranges::upper_bound(state_.ends, std::min(step, total() - 1));
      const std::int64_t begin = *std::prev(end);
      return cosine_factor(static_cast<double>(step - begin), static_cast<double>(*end - begin));
    }
    return schedule_factor(settings_, step - pretraining_, state_.ends.front() - pretraining_,
                           per_epoch_);
  }

  void record(double loss, double units, double seconds) {
    if (!std::isfinite(loss)) {
      throw Failure(fmt::format(
          "the loss is {} after batch {}: try a lower train.learning_rate or train.clip_norm", loss,
          state_.step));
    }
    TrainingState::Block& block = state_.block;
    state_.seconds += seconds;
    if (state_.seen >= 0) state_.seen += units;
    block.seconds += seconds;
    block.loss += loss;
    block.units += units;
    ++block.steps;
    if (state_.step % settings_.log_every == 0) write_block();
  }

  void write_block() {
    TrainingState::Block& block = state_.block;
    if (block.steps == 0 || !log_) return;
    const double loss = block.loss / static_cast<double>(block.steps);
    const double rate = rate_of(state_.step - 1);
    nlohmann::json entry = {
        {"step", state_.step},
        {"epoch", static_cast<double>(state_.step) / static_cast<double>(per_epoch_)},
        {"loss", loss},
        {"learning_rate", rate},
        {fmt::format("{}_per_second", task_.units()), std::round(block.units / block.seconds)}};
    if (processes_ != nullptr) {
      count_exchanged();
      entry["exchanged_bytes"] = block.exchanged / static_cast<std::uint64_t>(block.steps);
    }
    log_->add(entry);
    if (events_) {
      events_->scalar("loss", state_.step, loss);
      events_->scalar("learning_rate", state_.step, rate);
    }
    last_loss_ = loss;
    speed_ = block.units / block.seconds;
    block = {};
  }

  // Into the block, which a checkpoint holds: a resumed training's lines are those of an unbroken
  // one.
  void count_exchanged() {
    if (processes_ == nullptr) return;
    const std::uint64_t before = std::exchange(exchanged_, processes_->exchanged());
    state_.block.exchanged += exchanged_ - before;
  }

  std::string note(std::int64_t epoch) const {
    const TrainingState::Block& block = state_.block;
    const bool fresh = block.steps > 0;
    std::string text =
        fmt::format("{}, loss {:.4f}, {:.0f} {}/s", epoch_name(epoch),
                    fresh ? block.loss / static_cast<double>(block.steps) : last_loss_,
                    fresh ? block.units / block.seconds : speed_, task_.units());
    if (task_.validates() && state_.best_score >= 0) {
      text += fmt::format(", best {} {:.1f}", task_.score_name(), state_.best_score);
    }
    return text;
  }

  std::string epoch_name(std::int64_t epoch) const {
    const std::int64_t before = task_.pretraining_epochs();
    return epoch < before ? fmt::format("pretraining {}/{}", epoch + 1, before)
                          : fmt::format("epoch {}/{}", epoch + 1 - before,
                                        (total() + per_epoch_ - 1) / per_epoch_ - before);
  }

  bool validates_now() const {
    if (state_.step <= pretraining_) return false;  // there is nothing to judge yet
    const std::int64_t every = settings_.validate_every > 0 ? settings_.validate_every : per_epoch_;
    return state_.step % every == 0 || state_.step == total();
  }

  void validate() {
    {
      const AveragedWeights averaged(average_);
      if (task_.validates()) {
        const InPhase phase(Phase::validation);
        judge(judgement());
      } else {
        store_best(0);
      }
    }
  }

  // Several processes compute it together, and process 0's counts. Ctrl-C waits until it is there:
  // a training goes on after a batch whose validation, if it has one, was made.
  Judgement judgement() {
    const InterruptLater later;
    if (processes_ == nullptr) return task_.validate();
    const InGroup together(processes_);
    Judgement result = task_.validate();
    const torch::Tensor score = at::tensor({result.score}, at::kDouble);
    processes_->broadcast(score);
    result.score = score.item<double>();
    return result;
  }

  void judge(const Judgement& result) {
    if (log_) {
      nlohmann::json line = {
          {"step", state_.step}, {"validation", result.score}, {"languages", result.by_language}};
      if (!result.spread.empty()) line["spread"] = result.spread;
      log_->add(line);
    }
    if (events_) {
      for (const auto& [language, score] : result.by_language) {
        events_->scalar("validation/" + language, state_.step, score);
      }
      events_->scalar("validation/average", state_.step, result.score);
    }
    ++state_.validations_since_best;
    if (result.score > state_.best_score) {
      store_best(result.score);
    } else if (settings_.patience > 0 && state_.validations_since_best >= settings_.patience) {
      state_.finished = true;
      if (!writes()) return;
      print_line(stderr, "no better {} in {} validations: stopped early\n", task_.score_name(),
                 settings_.patience);
    }
  }

  void store_best(double score) {
    state_.best_score = score;
    state_.best_step = state_.step;
    state_.validations_since_best = 0;
    if (writes()) task_.store_best();
  }

  void checkpoint() {
    if (!writes()) return;
    const InPhase phase(Phase::checkpoint);
    if (log_) log_->sync();
    count_exchanged();
    write_checkpoint(run_, task_.model(), adam_, average_, state_);
    checkpointed_ = Clock::now();
  }

  void finish() {
    write_block();
    state_.finished = true;
    if (!writes()) return;
    task_.finish(state_);
    checkpoint();
  }

  TrainingTask& task_;
  const TrainSettings& settings_;
  fs::path run_;
  TrainingOptions options_;
  Processes* processes_;  // null: this one is alone
  Adam adam_;
  WeightAverage average_;
  std::int64_t per_epoch_;
  std::int64_t pretraining_;  // batches of it
  TrainingState state_;
  std::unique_ptr<MetricsLog> log_;
  std::unique_ptr<EventFile> events_;
  std::unique_ptr<GradientSums> sums_;
  std::uint64_t exchanged_ = 0;  // as far as it was counted
  bool interrupted_ = false;     // some process was
  Clock::time_point checkpointed_;
  double last_loss_ = 0;
  double speed_ = 0;
};

}  // namespace

TrainingState run_training(TrainingTask& task, const TrainSettings& settings, const fs::path& run,
                           const TrainingOptions& options) {
  return Loop(task, settings, run, options).run();
}

}  // namespace hinny
