#include "training/loop/parallel_loss.h"

#include <torch/utils.h>

#include <span>

#include "base/random.h"
#include "nn/info_nce.h"

namespace hinny {
namespace {

constexpr std::uint64_t kOrder = 0x11e5, kCaption = 0x11e6;  // apart from what else the seed draws

LossOptions contrast_options(const ParallelSettings& settings) {
  LossOptions options;
  options.temperature = settings.temperature;
  options.text_to_image = options.image_to_text = 1;
  return options;
}

}  // namespace

ParallelLoss::ParallelLoss(Experiment& experiment)
    : e_(experiment),
      builder_(*e_.parallel_corpus, e_.features, e_.transform, nullptr, e_.parallel->languages,
               e_.builder.device()),
      loss_(make_info_nce(contrast_options(e_.recipe.parallel))) {
  loss_->to(e_.builder.device());
  for (torch::Tensor& parameter : loss_->parameters()) parameter.requires_grad_(false);
}

std::int64_t ParallelLoss::sentences_per_batch() const {
  return std::min(e_.recipe.parallel.lines,
                  static_cast<std::int64_t>(e_.parallel->sentences.size()));
}

// Pass after pass over all lines, each in an order of its own.
std::vector<int> ParallelLoss::sentences_of(std::int64_t step) {
  const std::vector<int>& all = e_.parallel->sentences;
  const auto seed = static_cast<std::uint64_t>(e_.recipe.train.seed);
  const auto count = static_cast<std::uint64_t>(sentences_per_batch());
  // What is left over waits for another pass.
  const auto batches = static_cast<std::uint64_t>(batches_per_pass());
  const std::uint64_t pass = static_cast<std::uint64_t>(step) / batches;
  if (pass != pass_) {
    order_ = all;
    Random(mix_seed({seed, kOrder, pass})).shuffle(std::span(order_));
    pass_ = pass;
  }
  const auto first = order_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::uint64_t>(step) %
                                                                  batches * count);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

torch::Tensor ParallelLoss::of_batch(std::int64_t step) {
  const Dataset& dataset = e_.parallel->dataset;
  const std::vector<int> lines = sentences_of(step);
  Random random(mix_seed({static_cast<std::uint64_t>(e_.recipe.train.seed), kCaption,
                          static_cast<std::uint64_t>(step)}));
  const auto encode = [&](int language) {
    std::vector<int> captions, rows;
    for (std::size_t row = 0; row < lines.size(); ++row) {
      const std::vector<int>& own = dataset.captions_of(lines[row], language);
      if (own.empty()) continue;
      captions.push_back(random.pick(own));
      rows.push_back(static_cast<int>(row));
    }
    std::pair<torch::Tensor, torch::Tensor> vectors;
    if (captions.empty()) return vectors;
    const CaptionBatch batch = builder_.captions(captions, rows);
    const SystemLanguage spoken = e_.parallel->languages[static_cast<std::size_t>(language)];
    return std::pair(e_.system->encode_captions(batch, spoken), batch.rows);
  };
  torch::Tensor pivot;
  {
    const torch::NoGradGuard no_gradient;
    pivot = encode(e_.parallel->pivot).first;
  }
  torch::Tensor sum;
  for (int l = 0; l < static_cast<int>(dataset.languages().size()); ++l) {
    if (l == e_.parallel->pivot) continue;
    const auto [vectors, rows] = encode(l);
    if (!vectors.defined()) continue;
    const torch::Tensor loss = loss_->forward(pivot, vectors, rows);
    sum = sum.defined() ? sum + loss : loss;
  }
  if (!sum.defined()) return sum;
  return sum * (e_.recipe.parallel.weight / static_cast<double>(e_.system_language.size()));
}

}  // namespace hinny
