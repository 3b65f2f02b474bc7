#include "systems/staged_loss.h"

namespace hinny {

StagedLoss::StagedLoss(torch::nn::Module& owner, const LossSettings& loss)
    : full_(owner.register_module("loss", make_loss(loss))) {
  if (loss.warmup_epochs > 0) {
    warmup_ = owner.register_module("warmup_loss", make_loss(gentle_options(loss, loss.warmup)));
  }
}

void StagedLoss::set_stage(Stage stage, double hard_share) {
  stage_ = stage;
  full_->set_hard_share(hard_share);
}

}  // namespace hinny
