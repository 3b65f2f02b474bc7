#include "nn/loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/error.h"
#include "nn/info_nce.h"
#include "nn/triplet.h"

namespace hinny {
namespace {

using Maker = std::shared_ptr<RetrievalLoss> (*)(const LossOptions&);

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> table = {
      {"infonce", make_info_nce},
      {"triplet", make_triplet},
  };
  return table;
}

}  // namespace

std::vector<std::string> loss_kinds() {
  std::vector<std::string> kinds;
  for (const auto& [kind, maker] : makers()) kinds.push_back(kind);
  return kinds;
}

LossOptions gentle_options(LossOptions options, const std::string& way) {
  if (way == "all") {
    options.mining = "all";
    options.reduction = "mean";
  } else if (way == "infonce") {
    options.kind = "infonce";
  } else {
    throw InputError("no warm-up '" + way + "'", "infonce or all");
  }
  return options;
}

double hard_share(const LossOptions& options, double done) {
  return 1 - std::exp(-options.hardening * done);
}

std::shared_ptr<RetrievalLoss> make_loss(const LossOptions& options) {
  const auto found = makers().find(options.kind);
  if (found == makers().end()) {
    throw InputError("no loss '" + options.kind + "'" + did_you_mean(options.kind, loss_kinds()),
                     "triplet or infonce");
  }
  constexpr std::array distances{"cosine", "euclidean", "order"};
  if (std::ranges::find(distances, options.distance) == distances.end()) {
    throw InputError(
        "no distance '" + options.distance + "'" + did_you_mean(options.distance, distances),
        "cosine, euclidean or order");
  }
  return found->second(options);
}

}  // namespace hinny
