// The loss that a stage of training has: the recipe's, or before it the warm-up's.
#pragma once

#include "nn/loss.h"
#include "recipe/system_options.h"
#include "systems/retrieval_system.h"

namespace hinny {

class StagedLoss {
 public:
  // Their parameters become those of `owner`: "loss", and "warmup_loss" where
  // loss.warmup_epochs asks for one.
  StagedLoss(torch::nn::Module& owner, const LossSettings& loss);

  void set_stage(Stage stage, double hard_share);  // LossOptions::hard_share
  bool warming_up() const { return stage_ == Stage::warmup; }
  RetrievalLoss& operator*() const { return warming_up() ? *warmup_ : *full_; }
  RetrievalLoss* operator->() const { return &**this; }

 private:
  Stage stage_ = Stage::full;
  std::shared_ptr<RetrievalLoss> full_, warmup_;
};

}  // namespace hinny
