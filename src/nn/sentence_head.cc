#include "nn/sentence_head.h"

#include <fmt/format.h>
#include <torch/utils.h>

#include "base/error.h"
#include "nn/dropout.h"
#include "nn/layers.h"

namespace hinny {
namespace {

constexpr double kNoise = 0.1;  // what is left of the random start

}  // namespace

SentenceHead::SentenceHead(ModuleWithRoles& owner, const SentenceHeadOptions& options)
    : options_(options) {
  const TensorRole role{TensorPart::sentence};
  encoder_ = owner.register_module("encoder", make_sentence_encoder(options.encoder), role);
  if (options.project) {
    fc_ = owner.register_module(
        "fc", std::make_shared<Linear>(encoder_->size(), options.output, options.encoder.precision),
        role);
  }
}

std::int64_t SentenceHead::size() const { return fc_ ? options_.output : encoder_->size(); }

torch::Tensor SentenceHead::forward(const CaptionWords& words) {
  return in_shards(words.captions.captions(), [&](const Shard& shard) {
    torch::Tensor sentence = encoder_->forward(words.table, shard_of(words.captions, shard));
    sentence = dropped(sentence, encoder_->is_training() ? options_.dropout : 0, shard);
    if (fc_) sentence = fc_->forward(sentence);
    return options_.positive ? unit_rows(sentence).abs() : unit_rows(sentence);
  });
}

void SentenceHead::start_as_identity() {
  if (!fc_ || options_.output < encoder_->size()) {
    throw InputError(
        fmt::format("image.start = directions with sentences of {} numbers", encoder_->size()),
        fmt::format("text.project, and at most dim = {}", options_.output));
  }
  const torch::NoGradGuard no_gradient;
  torch::Tensor weight = fc_->weight();
  weight.mul_(kNoise);
  weight.narrow(0, 0, encoder_->size()).diagonal().add_(1);
}

void SentenceHead::start_along(const torch::Tensor& directions) {
  const std::int64_t n = directions.size(1);
  if (!fc_ || directions.size(0) != options_.output || n > encoder_->size()) {
    throw InputError(fmt::format("image.start = directions: {} of {} numbers, for sentences of {}",
                                 n, directions.size(0), encoder_->size()),
                     fmt::format("text.project, and at most {}", encoder_->size()));
  }
  const torch::NoGradGuard no_gradient;
  torch::Tensor weight = fc_->weight();
  weight.mul_(kNoise);
  weight.narrow(1, 0, n).add_(directions);
}

TextSpec SentenceHead::describe(const std::string& prefix) const {
  TextSpec spec;
  spec.encoder = encoder_->describe(prefix + ".encoder");
  if (fc_) spec.layers.push_back({LayerKind::linear, prefix + ".fc"});
  spec.layers.push_back({LayerKind::l2});
  if (options_.positive) spec.layers.push_back({LayerKind::abs});
  return spec;
}

}  // namespace hinny
