// Late interaction of words with regions, without a vector of the sentence: re-ranks what a faster
// model found.
#pragma once

#include "systems/two_branch.h"

namespace hinny {

// Per language: words [vocabulary, dim], as they are. One image branch for all regions. A caption
// and a picture compare by late interaction (nn/late_interaction.h), with attention.lambda_lse its
// sharpness; text.dropout is the share of a caption's words that training leaves out. The loss is
// the mean over captions, as bag's. Features have shape [images, regions, numbers].
class Late : public TwoBranch {
 public:
  Late(const SystemOptions& options, const SystemInput& input);

  torch::Tensor encode_images(const torch::Tensor& features, SystemLanguage language) override;
  torch::Tensor encode_captions(const CaptionBatch& captions, SystemLanguage language) override;
  torch::Tensor compare(const torch::Tensor& images, const torch::Tensor& words,
                        const CaptionBatch& captions) override;
  bool compares_pairs() const override { return true; }
  bool reads_regions() const override { return true; }
  std::vector<LossTerm> losses(const Batch& batch) override;
  void start_along(const torch::Tensor& directions, const torch::Tensor& spread) override;
  ModelConfig describe() const override;

 private:
  std::int64_t regions_;
};

}  // namespace hinny
