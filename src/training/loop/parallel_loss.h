// Training on parallel sentences beside captions: a sentence belongs where the pivot's lies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nn/loss.h"
#include "training/experiment/experiment.h"

namespace hinny {

// Batches of parallel sentences and their loss. Refers to the experiment, which has such.
class ParallelLoss {
 public:
  explicit ParallelLoss(Experiment& experiment);

  // The loss of the `step`th batch, by the seed: InfoNCE of each language's sentences against
  // the pivot's, both ways, by vectors of the pivot that do not learn from it; the sum over
  // languages, each weighing parallel.weight / languages that learn. Undefined where no sentence of
  // the batch is in another language than the pivot.
  torch::Tensor of_batch(std::int64_t step);
  // Sentences of a batch, and batches of a pass over all sentences.
  std::int64_t sentences_per_batch() const;
  std::int64_t batches_per_pass() const {
    return static_cast<std::int64_t>(e_.parallel->sentences.size()) / sentences_per_batch();
  }

 private:
  std::vector<int> sentences_of(std::int64_t step);
  Experiment& e_;
  BatchBuilder builder_;
  std::shared_ptr<RetrievalLoss> loss_;
  std::uint64_t pass_ = ~std::uint64_t{0};
  std::vector<int> order_;  // of the lines in this pass
};

}  // namespace hinny
