// What the two-branch systems share: one or more text towers, one or more image branches.
#pragma once

#include "nn/dictionary_tower.h"
#include "nn/hybrid_tower.h"
#include "nn/image_branch.h"
#include "nn/neighbourhood.h"
#include "nn/text_tower.h"
#include "retrieval/score.h"
#include "systems/retrieval_system.h"
#include "systems/staged_loss.h"

namespace hinny {

// Text towers are one per language, or one for all with a shared vocabulary, or (text.mule_dim) one
// sentence head for all behind each language's words and its layer into a shared space. Image
// branches are one per language or one for all. Derived systems say what they train on.
class TwoBranch : public RetrievalSystem {
 public:
  TwoBranch(const SystemOptions& options, const SystemInput& input);

  torch::Tensor encode_images(const torch::Tensor& features, SystemLanguage language) override;
  torch::Tensor encode_captions(const CaptionBatch& captions, SystemLanguage language) override;
  ModelConfig describe() const override;
  void set_words(SystemLanguage language, const torch::Tensor& vectors) override;
  std::string reader_of(SystemLanguage language) const override {
    return of_language(text_names_, language);
  }
  void start_along(const torch::Tensor& directions, const torch::Tensor& spread) override;
  torch::Tensor words_of(SystemLanguage language) override;
  void start_like(SystemLanguage language, SystemLanguage other) override;
  bool shares_image_space() const override { return images_.size() == 1; }
  void set_stage(Stage stage, const Done& done) override;
  std::string loss_in(Stage stage) const override { return loss_.described(stage); }
  Score score() const override;
  void fit_sizes(const std::map<std::string, torch::Tensor>& tensors,
                 const std::string& prefix) override;

 protected:
  // The batch's images in the space of each of its languages: [images, dim] for each entry of
  // batch.languages, computed once where the space is shared.
  std::vector<torch::Tensor> encode_batch_images(const Batch& batch);
  // The captions of each of batch.languages in the joint space.
  std::vector<Neighbours> encode_batch_captions(const Batch& batch);
  // The loss of captions against images, by the warm-up's in its epochs: a term for each of
  // batch.languages, with `weight`. `images` are encode_batch_images(batch).
  std::vector<LossTerm> ranking_losses(const Batch& batch, const std::vector<torch::Tensor>& images,
                                       const std::vector<Neighbours>& captions,
                                       double weight = 1.0);
  // One of those, of pairs compared already: scores [captions, images].
  LossTerm ranking_loss(const torch::Tensor& scores, const torch::Tensor& rows,
                        SystemLanguage language, double weight);
  // The language's part of the batch's captions: the weight with which every caption counts alike,
  // so that a language of few captions neither drowns the others nor learns those by heart.
  static double share_of_captions(const Batch& batch, std::size_t place);
  // The image branches' part of start_along.
  void start_images_along(const torch::Tensor& directions, const torch::Tensor& spread);
  // The same of caption pairs, the first ones in place of images (Kádár et al. 2018, c2c).
  LossTerm pair_loss(const Batch::Pairs& pairs);
  // Adds the neighbourhood constraints that [loss] asks for among captions of batch.languages,
  // as terms near_<layer>...
  void add_near(const std::string& layer, const Batch& batch,
                const std::vector<Neighbours>& captions, std::vector<LossTerm>& terms) const;
  TextTower& tower(SystemLanguage language) { return *of_language(text_, language); }
  const std::string& language_name(SystemLanguage language) const {
    return input_.languages[static_cast<std::size_t>(language)];
  }
  Stage stage() const { return loss_.stage(); }

  SystemOptions options_;
  SystemInput input_;

 private:
  std::shared_ptr<TextTower> make_tower(std::size_t language, std::shared_ptr<SentenceHead> head);
  void lend_words();
  void settle_latents();
  void add_pairs_near(const std::string& name, const Neighbours& a, const Neighbours& b,
                      std::vector<LossTerm>& terms) const;
  // The language's own item, or the one that all languages share.
  template <typename T>
  static const T& of_language(const std::vector<T>& items, SystemLanguage language) {
    return items[items.size() == 1 ? 0 : static_cast<std::size_t>(language)];
  }
  void add_text_towers();
  SentenceHeadOptions head_options() const;
  void add_image_branches();

  std::vector<std::string> text_names_;
  std::vector<std::shared_ptr<TextTower>> text_;
  std::shared_ptr<LatentVocabulary> latent_;          // text.latents
  std::vector<std::shared_ptr<HybridTower>> hybrid_;  // text_, where it is there
  std::vector<std::shared_ptr<DictionaryTower>> borrowers_;
  std::vector<std::string> image_names_;
  std::vector<std::shared_ptr<ImageBranch>> images_;
  StagedLoss loss_;
};

}  // namespace hinny
