#include "nn/text_tower.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/utils.h>

#include "base/error.h"
#include "nn/distinct_words.h"

namespace hinny {

TextTower::TextTower(const TextTowerOptions& options, std::shared_ptr<SentenceHead> head)
    : options_(options), head_(std::move(head)) {
  if (!head_) head_ = std::make_shared<SentenceHead>(*this, options.head);
  if (options.vocabulary == 0) return;
  const double range = options.word_range;
  words_ = register_parameter(
      "words", at::zeros({options.vocabulary, options.word_dim}).uniform_(-range, range),
      {TensorPart::words}, options.finetune);
  if (options.store_start) {
    start_ = register_buffer("words_start", words_.detach().clone(),
                             {TensorPart::words, /*for_training_only=*/true});
  }
  if (options.space > 0) {
    space_ = register_module(
        "space",
        std::make_shared<Linear>(options.word_dim, options.space, options.head.encoder.precision),
        {TensorPart::space});
  }
}

CaptionWords TextTower::words(const CaptionBatch& captions) {
  if (options_.vocabulary == 0) return {{}, captions};
  const torch::Tensor table = frozen_ ? words_.detach() : words_;
  if (!space_) return {table, captions};
  const DistinctWords distinct = distinct_words(captions.ids, table.size(0));
  return {space_->forward(table.index_select(0, distinct.ids.to(table.device()))),
          renumbered(captions, distinct)};
}

CaptionWords TextTower::words_and_stand_ins(
    const CaptionBatch& captions, std::int64_t own, const torch::Tensor& stands_for,
    const std::function<torch::Tensor(const torch::Tensor&)>& of) {
  const DistinctWords distinct = distinct_words(captions.ids, own + stands_for.size(0));
  const auto first = (distinct.ids < own).sum().item<std::int64_t>();  // ids rise
  const torch::Tensor ids = distinct.ids.to(captions.ids.device());
  const torch::Tensor rows = stands_for.index_select(0, ids.slice(0, first) - own).to(at::kLong);
  return {at::cat({own_words(ids.slice(0, 0, first)), of(rows)}), renumbered(captions, distinct)};
}

void TextTower::set_words(const torch::Tensor& vectors) {
  if (vectors.sizes() != words_.sizes()) throw Failure("word vectors of another shape");
  const torch::NoGradGuard no_gradient;
  words_.copy_(vectors);
  if (start_.defined()) start_.copy_(vectors);
}

void TextTower::fit_space(const torch::Tensor& ids, const torch::Tensor& targets) {
  const torch::NoGradGuard no_gradient;
  const torch::Tensor vectors = words_.index_select(0, ids).to(at::kDouble);
  const torch::Tensor x = at::cat({vectors, at::ones({ids.size(0), 1}, vectors.options())}, 1);
  const torch::Tensor squares = x.t().matmul(x);
  const torch::Tensor damping =
      1e-3 * squares.diagonal().mean() * at::eye(x.size(1), squares.options());
  const torch::Tensor layer = at::linalg_solve(
      squares + damping, x.t().matmul(targets.to(at::kDouble)));  // [dim + 1, space]
  space_->named_parameters()["weight"].copy_(layer.slice(0, 0, -1).t());
  space_->named_parameters()["bias"].copy_(layer[-1]);
}

torch::Tensor TextTower::word_drift() const { return 0.5 * (words_ - start_).square().sum(); }

TextSpec TextTower::describe(const std::string& prefix, const std::string& head_prefix) const {
  TextSpec spec = head_->describe(head_prefix);
  if (words_.defined()) spec.words = prefix + ".words";
  if (space_) spec.word_layers = {{LayerKind::linear, prefix + ".space"}};
  return spec;
}

}  // namespace hinny
