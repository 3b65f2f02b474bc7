#include "nn/latent_vocabulary.h"

#include <ATen/ops/argmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/one_hot.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <torch/utils.h>

#include <algorithm>

#include "nn/layers.h"
#include "nn/product.h"

namespace hinny {
namespace {

constexpr std::int64_t kScoresAtOnce = std::int64_t{1} << 25;  // 128 MB: [words, tokens] by pieces
constexpr double kSharpness = 10;                              // of the softmax over cosines

}  // namespace

LatentVocabulary::LatentVocabulary(const LatentOptions& options) : options_(options) {
  options_.among = std::min(options.among, options.tokens);
  vectors_ =
      register_parameter("vectors", at::zeros({options.tokens, options.size}).uniform_(-0.1, 0.1),
                         {TensorPart::latent});
  scorer_ = register_parameter("scorer", unit_rows(at::randn({options.tokens, options.features})),
                               {TensorPart::latent, /*for_training_only=*/true});
}

torch::Tensor LatentVocabulary::candidates(const torch::Tensor& features,
                                           const torch::Tensor& scorer) const {
  const torch::NoGradGuard no_gradient;
  const std::int64_t rows = std::max<std::int64_t>(1, kScoresAtOnce / scorer.size(0));
  std::vector<torch::Tensor> pieces;
  for (const torch::Tensor& part : features.split(rows)) {
    pieces.push_back(std::get<1>(row_products(part, scorer).topk(options_.among, 1)));
  }
  return at::cat(pieces);  // [words, among], the best first
}

torch::Tensor LatentVocabulary::best(const torch::Tensor& features) const {
  if (features.size(0) == 0) return at::empty({0}, features.options().dtype(at::kLong));
  const torch::NoGradGuard no_gradient;
  return candidates(features, unit_rows(scorer_)).select(1, 0).contiguous();
}

torch::Tensor LatentVocabulary::explored(const torch::Tensor& features) {
  const std::int64_t words = features.size(0), among = options_.among;
  const torch::Tensor scorer = unit_rows(scorer_);
  const torch::Tensor tokens = candidates(features, scorer.detach());
  const torch::Tensor flat = tokens.flatten();
  // Only the candidates' scores again, with a gradient.
  const torch::Tensor scores =
      (scorer.index_select(0, flat).view({words, among, -1}) * features.unsqueeze(1)).sum(2);
  const torch::Tensor soft = at::softmax(kSharpness * scores, 1);
  const torch::Tensor wander = at::rand({words}, features.options()) < options_.explore;
  const torch::Tensor other = at::randint(among, {words}, tokens.options());
  const torch::Tensor taken = at::where(wander, other, at::zeros({words}, tokens.options()));
  const torch::Tensor hard = at::one_hot(taken, among).to(soft.scalar_type());
  const torch::Tensor weights = hard + soft - soft.detach();
  return weights.unsqueeze(1)
      .bmm(vectors_.index_select(0, flat).view({words, among, -1}))
      .squeeze(1);
}

torch::Tensor LatentVocabulary::vectors(const torch::Tensor& tokens) const {
  return vectors_.index_select(0, tokens);
}

void LatentVocabulary::settle(const torch::Tensor& used) {
  const torch::NoGradGuard no_gradient;
  const torch::Tensor kept = vectors_.index_select(0, used).contiguous();
  resize(used.size(0));
  vectors_.copy_(kept);
}

bool LatentVocabulary::fit_sizes(const std::map<std::string, torch::Tensor>& tensors,
                                 const std::string& prefix) {
  const auto vectors = tensors.find(prefix + "vectors");
  const auto scorer = tensors.find(prefix + "scorer");
  if (vectors == tensors.end()) return false;
  if (scorer != tensors.end() && scorer->second.size(0) > 0) return false;  // still pretraining
  resize(vectors->second.size(0));
  return true;
}

void LatentVocabulary::resize(std::int64_t tokens) {
  // The same parameters with other numbers, so that an optimiser goes on holding them.
  const torch::NoGradGuard no_gradient;
  vectors_.set_data(at::zeros({tokens, options_.size}, vectors_.options()));
  scorer_.set_data(at::zeros({0, options_.features}, scorer_.options()));
  vectors_.mutable_grad().reset();
  scorer_.mutable_grad().reset();
}

}  // namespace hinny
