#include "nn/character_tower.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include "base/error.h"
#include "nn/distinct_words.h"
#include "text/spelling.h"

namespace hinny {
namespace {

// Without a table of words.
TextTowerOptions wordless(TextTowerOptions options) {
  options.vocabulary = 0;
  return options;
}

}  // namespace

CharacterTower::CharacterTower(const TextTowerOptions& options, const CharacterOptions& characters,
                               torch::Tensor spelling)
    : TextTower(wordless(options)), most_(characters.most), spelling_(std::move(spelling)) {
  const double range = options.word_range;
  const TensorRole role{TensorPart::spelling};
  characters_ = register_parameter(
      "characters", at::zeros({characters.characters, characters.size}).uniform_(-range, range),
      role);
  std::int64_t input = characters.most * characters.size;
  for (const std::int64_t output : {std::int64_t{128}, std::int64_t{256}, options.word_dim}) {
    const std::string number = std::to_string(linear_.size());
    linear_.push_back(
        register_module("spelling" + number, std::make_shared<Linear>(input, output), role));
    norm_.emplace_back(register_module("norm" + number, torch::nn::BatchNorm1d(output), role));
    input = output;
  }
}

CaptionWords CharacterTower::words(const CaptionBatch& captions) {
  const DistinctWords distinct = distinct_words(captions.ids, spelling_.size(0));
  const torch::Tensor letters =
      spelling_.index_select(0, distinct.ids).flatten().to(characters_.device());
  torch::Tensor table = characters_.index_select(0, letters).view({distinct.ids.size(0), -1});
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    // Statistics need two words; a batch with a single one takes those so far.
    const bool train = norm_[i]->is_training();
    if (table.size(0) < 2) norm_[i]->eval();
    table = at::relu(norm_[i]->forward(linear_[i]->forward(table)));
    norm_[i]->train(train);
  }
  return {table, renumbered(captions, distinct)};
}

void CharacterTower::set_words(const torch::Tensor&) {
  throw Failure("words known by their spelling have no vectors of their own");
}

TextSpec CharacterTower::describe(const std::string& prefix, const std::string& head_prefix) const {
  TextSpec spec = TextTower::describe(prefix, head_prefix);
  spec.characters = prefix + ".characters";
  spec.most_characters = static_cast<std::size_t>(most_);
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    spec.word_layers.push_back({LayerKind::linear, fmt::format("{}.spelling{}", prefix, i)});
    spec.word_layers.push_back({LayerKind::batch_norm, fmt::format("{}.norm{}", prefix, i)});
    spec.word_layers.push_back({LayerKind::relu});
  }
  return spec;
}

}  // namespace hinny
