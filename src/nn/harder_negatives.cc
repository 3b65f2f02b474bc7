#include "nn/harder_negatives.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/relu.h>

#include <limits>

#include "base/error.h"

namespace hinny {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Without the pairs that belong together.
torch::Tensor others(const LanguageScores& language) {
  const torch::Tensor images = at::arange(language.scores.size(1), language.rows.options());
  return language.scores.masked_fill(language.rows.unsqueeze(1) == images.unsqueeze(0), kNever);
}

}  // namespace

torch::Tensor harder_negatives(const std::vector<LanguageScores>& languages,
                               const LossOptions& options) {
  if (languages.empty()) throw Failure("a loss of no language");
  torch::Tensor captions;  // [images] what stands for an image's hardest caption
  for (const LanguageScores& language : languages) {
    const torch::Tensor own = language.weight * std::get<0>(others(language).max(0));
    captions = captions.defined() ? captions + own : own;
  }
  torch::Tensor sum;
  std::int64_t count = 0;
  for (const LanguageScores& language : languages) {
    const torch::Tensor positive = language.scores.gather(1, language.rows.unsqueeze(1)).squeeze(1);
    const torch::Tensor image = std::get<0>(others(language).max(1));
    const torch::Tensor hinges =
        options.image_to_text *
            at::relu(options.margin - positive + captions.index_select(0, language.rows)) +
        options.text_to_image * at::relu(options.margin - positive + image);
    sum = sum.defined() ? sum + hinges.sum() : hinges.sum();
    count += positive.size(0);
  }
  return options.reduction == "sum" ? sum : sum / static_cast<double>(count);
}

}  // namespace hinny
