#include "nn/loss.h"

#include <cmath>

#include "nn/info_nce.h"
#include "nn/triplet.h"

namespace hinny {

LossOptions gentle_options(LossOptions options, GentleLoss way) {
  if (way == GentleLoss::all) {
    options.mining = Mining::all;
    options.reduction = Reduction::mean;
  } else {
    options.kind = LossKind::infonce;
  }
  return options;
}

double hard_share(const LossOptions& options, const Done& done) {
  if (options.hardening_rate > 0) {
    return 1 - std::pow(1 - options.hardening_rate, static_cast<double>(done.batches + 1));
  }
  return 1 - std::exp(-options.hardening * done.share);
}

std::shared_ptr<RetrievalLoss> make_loss(const LossOptions& options) {
  return options.kind == LossKind::infonce ? make_info_nce(options) : make_triplet(options);
}

}  // namespace hinny
