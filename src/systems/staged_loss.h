// The loss that a stage of training has: pretraining's, the warm-up's, or the recipe's.
#pragma once

#include <string>

#include "nn/loss.h"
#include "nn/module_with_roles.h"
#include "recipe/system_options.h"
#include "systems/retrieval_system.h"

namespace hinny {

class StagedLoss {
 public:
  // Their parameters become those of `owner`: "loss", and "warmup_loss" where
  // loss.warmup_epochs asks for one.
  StagedLoss(ModuleWithRoles& owner, const SystemOptions& options);

  void set_stage(Stage stage, const Done& done);
  Stage stage() const { return stage_; }
  // The stage's, for losses that are not a RetrievalLoss.
  const LossOptions& options() const { return options(stage_); }
  const LossOptions& options(Stage stage) const;
  // RetrievalSystem::loss_in.
  std::string described(Stage stage) const;
  // Of captions against images, which pretraining has none of.
  RetrievalLoss& operator*() const { return stage_ == Stage::warmup ? *warmup_ : *full_; }
  RetrievalLoss* operator->() const { return &**this; }

 private:
  Stage stage_ = Stage::full;
  LossOptions full_options_, warmup_options_, pretrain_options_;
  std::shared_ptr<RetrievalLoss> full_, warmup_;
};

}  // namespace hinny
