#include "systems/staged_loss.h"

#include <fmt/format.h>

namespace hinny {
namespace {

LossOptions loss_of(const SystemOptions& options) {
  LossOptions loss = options.loss;
  loss.precision = options.precision;
  return loss;
}

}  // namespace

StagedLoss::StagedLoss(ModuleWithRoles& owner, const SystemOptions& options)
    : full_options_(loss_of(options)),
      warmup_options_(gentle_options(full_options_, options.loss.warmup)),
      pretrain_options_(full_options_),
      full_(owner.register_module("loss", make_loss(full_options_), kLossRole)) {
  if (options.pretrain.loss != PretrainLoss::recipe) {
    pretrain_options_ = gentle_options(full_options_, options.pretrain.loss == PretrainLoss::all
                                                          ? GentleLoss::all
                                                          : GentleLoss::infonce);
  }
  if (options.loss.warmup_epochs > 0) {
    warmup_ = owner.register_module("warmup_loss", make_loss(warmup_options_), kLossRole);
  }
}

void StagedLoss::set_stage(Stage stage, const Done& done) {
  stage_ = stage;
  full_options_.hard_share = hard_share(full_options_, done);
  full_->set_hard_share(full_options_.hard_share);
}

const LossOptions& StagedLoss::options(Stage stage) const {
  switch (stage) {
    case Stage::pretrain:
      return pretrain_options_;
    case Stage::warmup:
      return warmup_options_;
    case Stage::full:
      break;
  }
  return full_options_;
}

std::string StagedLoss::described(Stage stage) const {
  const LossOptions& loss = options(stage);
  std::string text =
      fmt::format("{}{}", stage == Stage::pretrain ? "captions alone: " : "", name_of(loss.kind));
  if (loss.kind == LossKind::triplet) {
    text += fmt::format(", {} negatives, {} of hinges, {} of anchors", name_of(loss.mining),
                        name_of(loss.hinges), name_of(loss.reduction));
  }
  return text;
}

}  // namespace hinny
