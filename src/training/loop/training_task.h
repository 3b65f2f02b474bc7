// What a training is of. The loop (training_loop.h) is the same for all tasks.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <string>
#include <vector>

#include "systems/retrieval_system.h"

namespace hinny {

struct TrainingState;

// What a validation found; a higher score is a better model.
struct Judgement {
  double score = 0;
  std::map<std::string, double> by_language;
  std::map<std::string, double> spread{};  // of vectors: 0 when all lie in one point
};

struct BatchLoss {
  torch::Tensor value;  // scalar; without a gradient the batch teaches nothing, and is passed over
  double units = 0;     // how much was in the batch, in units()
};

class TrainingTask {
 public:
  virtual ~TrainingTask() = default;
  virtual torch::nn::Module& model() = 0;
  virtual std::vector<ParameterGroup> parameter_groups() const { return {ParameterGroup{}}; }
  // Before a checkpoint's tensors are loaded; `prefix` precedes each name.
  virtual void fit_sizes(const std::map<std::string, torch::Tensor>&, const std::string&) {}

  virtual std::int64_t batches_per_epoch() const = 0;
  virtual std::int64_t pretraining_epochs() const { return 0; }
  virtual std::int64_t warmup_epochs() const { return 0; }
  // Of epoch `epoch`, from 0 and the same at each call, the batches from `from` on come next.
  virtual void start_epoch(std::int64_t epoch, std::int64_t from) = 0;
  // Before each batch.
  virtual void set_stage(Stage, const Done& /*done*/) {}
  // What a stage minimises, in words. The optimiser starts anew where it changes: second moments of
  // gradients of another size would hold its steps back, or drive them, for a thousand batches.
  virtual std::string loss_in(Stage) const { return {}; }
  virtual BatchLoss next_loss() = 0;

  virtual const char* units() const = 0;       // "captions"
  virtual const char* score_name() const = 0;  // "mR"
  virtual bool validates() const = 0;          // false: the latest model is the best
  virtual Judgement validate() = 0;
  // The model as it is now, as last judged, is the best so far: writes it.
  virtual void store_best() = 0;
  // The training is over; the best model is written.
  virtual void finish(const TrainingState& state) = 0;
};

}  // namespace hinny
