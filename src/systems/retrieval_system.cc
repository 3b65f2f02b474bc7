#include "systems/retrieval_system.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "nn/product.h"
#include "systems/bag.h"
#include "systems/dan.h"
#include "systems/embn.h"
#include "systems/late.h"
#include "systems/mule.h"
#include "systems/san.h"
#include "systems/scan.h"
#include "systems/smalr.h"
#include "systems/teacher.h"
#include "systems/vse.h"

namespace hinny {
namespace {

using Maker = std::shared_ptr<RetrievalSystem> (*)(const SystemOptions&, const SystemInput&);

template <typename System>
std::shared_ptr<RetrievalSystem> make(const SystemOptions& options, const SystemInput& input) {
  return std::make_shared<System>(options, input);
}

const std::map<SystemKind, Maker>& makers() {
  static const std::map<SystemKind, Maker> table = {
      {SystemKind::bag, make<Bag>},         {SystemKind::dan, make<Dan>},
      {SystemKind::embn, make<Embn>},       {SystemKind::late, make<Late>},
      {SystemKind::mule, make<Mule>},       {SystemKind::san, make<San>},
      {SystemKind::scan, make<Scan>},       {SystemKind::smalr, make<Smalr>},
      {SystemKind::teacher, make<Teacher>}, {SystemKind::vse, make<Vse>},
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

torch::Tensor RetrievalSystem::compare(const torch::Tensor& images, const torch::Tensor& sentences,
                                       const CaptionBatch&) {
  return row_products(images, sentences);
}

torch::Tensor RetrievalSystem::pair_scores(const torch::Tensor& features,
                                           const CaptionBatch& captions, SystemLanguage language) {
  return compare(encode_images(features, language), encode_captions(captions, language), captions);
}

void RetrievalSystem::start_along(const torch::Tensor&, const torch::Tensor&) {
  throw Failure("a system whose captions are no mean of their words");
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

std::shared_ptr<RetrievalSystem> make_system(const SystemOptions& options,
                                             const SystemInput& input) {
  const auto found = makers().find(options.system);
  if (found == makers().end()) {
    throw Failure(fmt::format("system {} retrieves nothing", name_of(options.system)));
  }
  return found->second(options, input);
}

}  // namespace hinny
