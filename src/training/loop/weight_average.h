// The average of a model's weights over the last batches, which is better and less a matter of
// chance than the weights after any one batch (Polyak and Juditsky 1992).
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "training/experiment/tensor_file.h"

namespace hinny {

// Exponential: average <- decay * average + (1 - decay) * weights, per batch. Buffers, such as
// those of batch normalisation, are not averaged.
class WeightAverage {
 public:
  // Of the parameters of `model` that are trained. `decay` 0: there is none, and nothing is done.
  WeightAverage(const torch::nn::Module& model, double decay);

  // After the `batches`-th batch, from 1. Takes every tenth, as if it were ten; the first ones
  // count more, so that the start is soon forgotten.
  void update(std::int64_t batches);
  // The average is the weights as they are.
  void reset();
  // Exchanges the model's weights and the average; once more, and all is as before, bit for bit.
  void exchange();

  NamedTensors state() const;  // by name, "average.<parameter>"
  // Throws InputError when a tensor is missing or of another shape.
  void load(const NamedTensors& state);

 private:
  struct Item {
    std::string name;
    torch::Tensor parameter;
    torch::Tensor average;
  };
  double decay_;
  std::vector<Item> items_;
};

// While it lives the model has the averaged weights.
class AveragedWeights {
 public:
  explicit AveragedWeights(WeightAverage& average) : average_(average) { average_.exchange(); }
  ~AveragedWeights() { average_.exchange(); }
  AveragedWeights(const AveragedWeights&) = delete;
  AveragedWeights& operator=(const AveragedWeights&) = delete;

 private:
  WeightAverage& average_;
};

}  // namespace hinny
