// MULE, the multilingual universal language encoder (Kim et al. 2020).
#pragma once

#include "nn/language_classifier.h"
#include "systems/two_branch.h"

namespace hinny {

// Per language: words [vocabulary, 300] -> FC 512, the space that languages share (text.mule_dim).
// One for all: LSTM 1024 -> FC 512 -> L2, and the image branch of EmbN. The parts of Eq. 4, each
// of which a recipe can leave out by a weight of 0:
//   rank_*     captions and images, both ways (Eq. 3)
//   near       neighbourhood constraints in the joint space and in the shared one, where a caption
//              is the mean of its words (Eq. 1)
//   adversary  a classifier of languages on those means, behind a gradient reversal (Eq. 2)
//   drift      distance of word vectors from where they started, mean over languages
// Pretraining (LP) is `near` in the shared space alone, with word vectors as given.
class Mule : public TwoBranch {
 public:
  Mule(const SystemOptions& options, const SystemInput& input);
  std::vector<LossTerm> losses(const Batch& batch) override;
  void set_stage(Stage stage, const Done& done) override;
  bool pretrains() const override { return true; }

 protected:
  // One entry per language of the batch.
  struct Sentences {
    std::vector<CaptionWords> words;   // in the shared space
    std::vector<torch::Tensor> means;  // [captions, mule_dim], not of unit length
    std::vector<Neighbours> mule;      // the same with unit length
    std::vector<Neighbours> joint;     // none in pretraining, and no images
    std::vector<torch::Tensor> images;
  };
  Sentences read(const Batch& batch);
  std::vector<LossTerm> losses_of(const Batch& batch, const Sentences& sentences);

 private:
  std::shared_ptr<LanguageClassifier> adversary_;
  double done_ = 0;  // share of the training
};

}  // namespace hinny
