#include "nn/text_tower.h"

#include <ATen/ops/zeros.h>
#include <torch/utils.h>

#include "base/error.h"
#include "nn/layers.h"

namespace hinny {

TextTower::TextTower(const TextTowerOptions& options) : options_(options) {
  const double range = options.word_range;
  words_ = register_parameter(
      "words", at::zeros({options.vocabulary, options.encoder.input}).uniform_(-range, range),
      options.finetune);
  encoder_ = register_module("encoder", make_sentence_encoder(options.encoder));
  dropout_ = register_module("dropout", torch::nn::Dropout(options.dropout));
  if (options.project)
    fc_ = register_module("fc", std::make_shared<Linear>(encoder_->size(), options.output));
}

std::int64_t TextTower::size() const { return fc_ ? options_.output : encoder_->size(); }

torch::Tensor TextTower::forward(const CaptionBatch& captions) {
  torch::Tensor sentence = dropout_(encoder_->forward(words_, captions));
  if (fc_) sentence = fc_->forward(sentence);
  return unit_rows(sentence);
}

void TextTower::set_words(const torch::Tensor& vectors) {
  if (vectors.sizes() != words_.sizes()) throw Failure("word vectors of another shape");
  const torch::NoGradGuard no_gradient;
  words_.copy_(vectors);
}

nlohmann::json TextTower::describe(const std::string& prefix) const {
  nlohmann::json layers = nlohmann::json::array();
  if (fc_) layers.push_back(describe_layer("linear", prefix + ".fc"));
  layers.push_back(describe_layer("l2"));
  return {{"words", prefix + ".words"},
          {"encoder", encoder_->describe(prefix + ".encoder")},
          {"layers", layers}};
}

}  // namespace hinny
