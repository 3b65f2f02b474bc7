// Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019).
#pragma once

#include <torch/types.h>

#include <map>
#include <string>
#include <vector>

#include "systems/retrieval_system.h"

namespace hinny {

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  bool decoupled = true;  // AdamW: decay the weights, not the gradient
};

// Our own rather than torch::optim's: its state has another shape in each libtorch, and ours is
// named tensors that go into a checkpoint as they are. On the CPU one pass over memory per step.
class Adam {
 public:
  // Each parameter of the model is in one of the groups.
  Adam(const torch::nn::Module& model, const std::vector<ParameterGroup>& groups,
       const AdamOptions& options);

  void zero_gradients();
  // One update. Parameters without a gradient stay as they are. `most` > 0: gradients count as
  // scaled so that their joint norm is at most that.
  void step(double learning_rate, double most = 0);

  // Forgets everything but the parameters, as at the start.
  void reset();

  // Moments by name ("adam.m.<parameter>", "adam.v.<parameter>"), and the count of steps.
  std::map<std::string, torch::Tensor> state() const;
  std::int64_t steps() const { return steps_; }
  // Throws InputError when a tensor is missing or of another shape.
  void load(const std::map<std::string, torch::Tensor>& state, std::int64_t steps);

 private:
  struct Item {
    std::string name;
    torch::Tensor parameter;
    torch::Tensor mean;      // first moment
    torch::Tensor variance;  // second moment
    double rate = 1.0;
    double decay = 0.0;
  };
  double norm_of_gradients() const;
  // `factor`: of the gradient.
  void update(Item& item, double learning_rate, double factor) const;
  void update_on_cpu(Item& item, double learning_rate, double factor) const;

  AdamOptions options_;
  std::vector<Item> items_;
  std::int64_t steps_ = 0;
};

}  // namespace hinny
