#include "systems/retrieval_system.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "nn/product.h"
#include "systems/bag.h"
#include "systems/dan.h"
#include "systems/embn.h"
#include "systems/mule.h"
#include "systems/san.h"
#include "systems/scan.h"
#include "systems/smalr.h"
#include "systems/vse.h"

namespace hinny {
namespace {

using Maker = std::shared_ptr<RetrievalSystem> (*)(const SystemOptions&, const SystemInput&);

template <typename System>
std::shared_ptr<RetrievalSystem> make(const SystemOptions& options, const SystemInput& input) {
  return std::make_shared<System>(options, input);
}

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> table = {
      {"bag", make<Bag>}, {"dan", make<Dan>},   {"embn", make<Embn>},   {"mule", make<Mule>},
      {"san", make<San>}, {"scan", make<Scan>}, {"smalr", make<Smalr>}, {"vse", make<Vse>},
  };
  return table;
}

}  // namespace

torch::Tensor total_loss(const std::vector<LossTerm>& terms) {
  torch::Tensor total;
  for (const LossTerm& term : terms) {
    const torch::Tensor part = term.weight * term.value;
    total = total.defined() ? total + part : part;
  }
  return total;
}

torch::Tensor RetrievalSystem::pair_scores(const torch::Tensor& features,
                                           const CaptionBatch& captions, SystemLanguage language) {
  return row_products(encode_images(features, language), encode_captions(captions, language));
}

void RetrievalSystem::start_along(const torch::Tensor&, const torch::Tensor&) {
  throw InputError("image.start = directions in this system",
                   "bag, or another whose captions are the mean of their words");
}

void RetrievalSystem::train_only(const std::string& child) {
  learner_ = child;
  for (auto& item : named_parameters()) {
    if (!item.key().starts_with(child + ".")) item.value().set_requires_grad(false);
  }
}

void RetrievalSystem::train(bool on) {
  torch::nn::Module::train(on);
  if (learner_.empty()) return;
  for (auto& item : named_children()) {
    if (item.key() != learner_) item.value()->train(false);
  }
}

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const auto& [name, maker] : makers()) names.push_back(name);
  return names;
}

std::shared_ptr<RetrievalSystem> make_system(const SystemOptions& options,
                                             const SystemInput& input) {
  const auto found = makers().find(options.system);
  if (found == makers().end()) {
    throw InputError(
        "no system '" + options.system + "'" + did_you_mean(options.system, system_names()),
        fmt::format("{}", fmt::join(system_names(), ", ")));
  }
  auto system = found->second(options, input);
  if (options.pretrain.epochs > 0 && !system->pretrains()) {
    throw InputError("system '" + options.system + "' has nothing to pretrain",
                     "pretrain.epochs = 0, or system = \"mule\"");
  }
  return system;
}

}  // namespace hinny
