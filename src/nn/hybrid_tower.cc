#include "nn/hybrid_tower.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/utils.h>

#include "base/error.h"
#include "nn/distinct_words.h"
#include "nn/layers.h"
#include "text/pca.h"
#include "text/vocabulary.h"

namespace hinny {
namespace {

// What distinguishes the words of a language: rows of unit length, whitened (no mean, equal spread
// in every direction), at unit length again. fastText's words share eight tenths of their length
// and more, and half of the rest lies in a few directions, which would choose one token for all.
// The first rows, which are no words, are not counted.
torch::Tensor distinctive(const torch::Tensor& vectors) {
  constexpr double kFlat = 1e-4;  // of the largest spread: a direction that no word differs in
  const torch::Tensor unit = unit_rows(vectors);
  const torch::Tensor centred = unit - unit.slice(0, kFirstWord).mean(0);
  const auto svd = at::linalg_svd(centred.slice(0, kFirstWord), /*full_matrices=*/false);
  const torch::Tensor &spread = std::get<1>(svd), &directions = std::get<2>(svd);  // rows
  const torch::Tensor scale =
      at::where(spread > kFlat * spread.max(), spread.reciprocal(), at::zeros_like(spread));
  return unit_rows((centred.matmul(directions.t()) * scale).matmul(directions));
}

}  // namespace

HybridTower::HybridTower(const TextTowerOptions& own, std::int64_t words, std::int64_t features,
                         std::shared_ptr<LatentVocabulary> latent,
                         std::shared_ptr<SentenceHead> head)
    : TextTower(own, std::move(head)),
      own_(own.vocabulary),
      whiten_(own.whiten),
      latent_(std::move(latent)) {
  const double range = own.word_range;
  latent_of_ = register_buffer("latent_of", at::zeros({words - own_}), {TensorPart::words});
  features_ =
      register_buffer("features", distinctive(at::zeros({words, features}).uniform_(-range, range)),
                      {TensorPart::words, /*for_training_only=*/true});
}

CaptionWords HybridTower::words(const CaptionBatch& captions) {
  if (!frozen()) {
    return words_and_stand_ins(captions, own_, latent_of_, [this](const torch::Tensor& tokens) {
      return latent_->vectors(tokens);
    });
  }
  const DistinctWords distinct = distinct_words(captions.ids, own_ + latent_of_.size(0));
  return {latent_->explored(features_.index_select(0, distinct.ids.to(features_.device()))),
          renumbered(captions, distinct)};
}

void HybridTower::set_words(const torch::Tensor& vectors) {
  if (vectors.size(0) != own_ + latent_of_.size(0) || vectors.size(1) != features_.size(1)) {
    throw Failure("word vectors of another shape");
  }
  const torch::Tensor rows = whiten_ ? unit_rows(vectors) : vectors;
  const torch::Tensor known = rows.slice(0, kFirstWord).contiguous();
  Pca pca = fit_pca(numbers_of(known), static_cast<std::size_t>(rows.size(1)),
                    static_cast<std::size_t>(word_dim()));
  if (whiten_) pca = whitening(std::move(pca));
  const auto numbers = [](const std::vector<double>& values) {
    return at::tensor(values, at::kDouble).to(at::kFloat);
  };
  const torch::Tensor components = numbers(pca.components).view({word_dim(), rows.size(1)});
  TextTower::set_words((rows.slice(0, 0, own_) - numbers(pca.mean)).matmul(components.t()));
  const torch::NoGradGuard no_gradient;
  if (!latent_->settled()) features_.copy_(distinctive(vectors));
}

torch::Tensor HybridTower::choose() { return latent_->best(features_.slice(0, own_)); }

void HybridTower::start_own_words() {
  if (own_ <= kFirstWord) return;
  const torch::NoGradGuard no_gradient;
  const torch::Tensor tokens = latent_->best(features_.slice(0, kFirstWord, own_));
  fit_space(at::arange(kFirstWord, own_, tokens.options()), latent_->vectors(tokens));
}

void HybridTower::settle(const torch::Tensor& tokens) {
  const torch::NoGradGuard no_gradient;
  latent_of_.copy_(tokens);
  forget_features();
}

void HybridTower::forget_features() {
  features_.set_data(at::zeros({0, features_.size(1)}, features_.options()));
}

TextSpec HybridTower::describe(const std::string& prefix, const std::string& head_prefix) const {
  TextSpec spec = TextTower::describe(prefix, head_prefix);
  spec.latent_of = prefix + ".latent_of";
  return spec;
}

}  // namespace hinny
