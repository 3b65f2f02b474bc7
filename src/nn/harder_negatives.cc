#include "nn/harder_negatives.h"

#include <ATen/ops/relu.h>

#include "base/error.h"
#include "nn/triplet.h"

namespace hinny {

torch::Tensor harder_negatives(const std::vector<LanguageScores>& languages,
                               const LossOptions& options) {
  if (languages.empty()) throw Failure("a loss of no language");
  std::vector<PairScores> pairs;
  torch::Tensor captions;  // [images] what stands for an image's hardest caption
  for (const LanguageScores& language : languages) {
    pairs.push_back(pair_scores(language.scores, language.rows));
    const torch::Tensor own = language.weight * std::get<0>(pairs.back().other.max(0));
    captions = captions.defined() ? captions + own : own;
  }
  torch::Tensor sum;
  std::int64_t count = 0;
  for (std::size_t l = 0; l < languages.size(); ++l) {
    const torch::Tensor& positive = pairs[l].positive;
    const torch::Tensor image = std::get<0>(pairs[l].other.max(1));
    const torch::Tensor hinges =
        options.image_to_text *
            at::relu(options.margin - positive + captions.index_select(0, languages[l].rows)) +
        options.text_to_image * at::relu(options.margin - positive + image);
    sum = sum.defined() ? sum + hinges.sum() : hinges.sum();
    count += positive.size(0);
  }
  return options.reduction == Reduction::sum ? sum : sum / static_cast<double>(count);
}

}  // namespace hinny
