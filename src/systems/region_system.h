// What the attention systems share: words in their sentence, and regions of pictures, in one space
// (Huang et al. 2020, Sec. 3.2).
#pragma once

#include "nn/harder_negatives.h"
#include "nn/product.h"
#include "nn/text_tower.h"
#include "systems/retrieval_system.h"
#include "systems/staged_loss.h"

namespace hinny {

// Words of one vocabulary or one per language; one recurrent encoder for all languages, whose two
// directions are averaged; a linear layer for regions; triplets of scores. Features have shape
// [images, regions, numbers]. Derived systems say what pictures and sentences are, and how they
// compare.
class RegionSystem : public RetrievalSystem {
 public:
  RegionSystem(const SystemOptions& options, const SystemInput& input);

  torch::Tensor encode_images(const torch::Tensor& features, SystemLanguage language) override;
  torch::Tensor encode_captions(const CaptionBatch& captions, SystemLanguage language) override;
  std::vector<LossTerm> losses(const Batch& batch) override;
  ModelConfig describe() const override;
  std::string reader_of(SystemLanguage language) const override;
  bool reads_regions() const override { return true; }
  void set_words(SystemLanguage language, const torch::Tensor& vectors) override;
  void set_stage(Stage stage, const Done& done) override;
  std::string loss_in(Stage stage) const override { return loss_.described(stage); }

 protected:
  // What the system makes of a batch's pictures and of captions, once each.
  virtual torch::Tensor pictures(const torch::Tensor& regions) = 0;
  virtual torch::Tensor sentences(const torch::Tensor& words, const CaptionBatch& captions) = 0;
  // The layers from regions ("image") or words ("text") to one vector.
  virtual std::vector<LayerSpec> describe_pooling(const std::string& side) const = 0;
  // Numbers of that vector.
  virtual std::int64_t vector_size() const { return options_.dim; }
  const SystemOptions& options() const { return options_; }

 private:
  std::vector<LanguageScores> types_of(const Batch::Language& entry,
                                       const torch::Tensor& scores) const;
  const std::string& language_name(const Batch::Language& entry) const {
    return input_.languages[static_cast<std::size_t>(entry.language)];
  }
  double weight_of(const std::string& language, const std::string& type) const;
  torch::Tensor regions(const torch::Tensor& features);  // -> [images, regions, dim]
  torch::Tensor words(const CaptionBatch& captions, SystemLanguage language);  // -> [tokens, dim]
  TextTower& tower(SystemLanguage language) {
    return *towers_[towers_.size() == 1 ? 0 : static_cast<std::size_t>(language)];
  }

  SystemOptions options_;
  SystemInput input_;
  StagedLoss loss_;
  std::shared_ptr<SentenceHead> head_;
  std::vector<std::shared_ptr<TextTower>> towers_;
  std::shared_ptr<Linear> region_;
};

}  // namespace hinny
