// What every system that compares vectors is to the rest of the program.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "nn/caption_batch.h"
#include "nn/done.h"
#include "nn/module_with_roles.h"
#include "recipe/system_options.h"
#include "retrieval/score.h"
#include "systems/system_input.h"

namespace hinny {

// A language by its position in SystemInput::languages. A dataset counts its own languages, in
// plain numbers; Experiment::system_language leads from those to these.
enum class SystemLanguage : int {};

// One training batch on the system's device.
struct Batch {
  torch::Tensor features;  // [images, feature dim], transformed (data/features.h)
  struct Language {
    SystemLanguage language{};
    CaptionBatch captions;
  };
  std::vector<Language> languages;
  // Captions against captions, first[i] and second[i] of one image and every i of another; then
  // there is nothing else. Needs one vocabulary for all languages.
  struct Pairs {
    CaptionBatch first, second;
  };
  std::optional<Pairs> pairs;
};

// A part of the loss, for the log.
struct LossTerm {
  std::string name;
  torch::Tensor value;  // scalar
  double weight = 1.0;
};

// What is minimised: the sum of weight * value, a scalar; undefined without terms.
torch::Tensor total_loss(const std::vector<LossTerm>& terms);

// Parameters that share a learning rate and weight decay: of these parts, or all; of several
// groups the first that has a parameter wins.
struct ParameterGroup {
  std::vector<TensorPart> parts{};  // empty: all
  double rate = 1.0;                // times the learning rate
  double decay = 1.0;               // times the weight decay
};

// What is trained: the words' space alone, everything by the warm-up's loss, or by the recipe's.
enum class Stage { pretrain, warmup, full };

class RetrievalSystem : public ModuleWithRoles {
 public:
  // -> [images, dim], rows of unit length, in the space that `language` is compared in.
  virtual torch::Tensor encode_images(const torch::Tensor& features, SystemLanguage language) = 0;
  // -> [captions, dim], rows of unit length.
  virtual torch::Tensor encode_captions(const CaptionBatch& captions, SystemLanguage language) = 0;
  // True when a caption has no vector: then pair_scores compares, and encode_* are steps of it.
  virtual bool compares_pairs() const { return false; }
  // True when features are [images, regions, numbers] to it, not one row an image.
  virtual bool reads_regions() const { return false; }
  // What encode_images and encode_captions made of images and of `captions`: larger is better.
  // -> [images, captions]
  virtual torch::Tensor compare(const torch::Tensor& images, const torch::Tensor& sentences,
                                const CaptionBatch& captions);
  // Encoded and compared: [images, captions].
  torch::Tensor pair_scores(const torch::Tensor& features, const CaptionBatch& captions,
                            SystemLanguage language);
  virtual std::vector<LossTerm> losses(const Batch& batch) = 0;
  // dim, score, attention, text and image; what else a description has comes from the training.
  virtual ModelConfig describe() const = 0;
  virtual std::vector<ParameterGroup> parameter_groups() const { return {ParameterGroup{}}; }
  // Replaces a language's word vectors before training: [vocabulary, word dim].
  virtual void set_words(SystemLanguage language, const torch::Tensor& vectors) = 0;
  // Before training: makes the joint space the images' coordinates along `directions` [feature dim,
  // n], whose standard deviations are `spread` [n], and a caption the mean of its word vectors in
  // them. InputError where the sizes do not allow it.
  virtual void start_along(const torch::Tensor& directions, const torch::Tensor& spread);
  // A language's word vectors, [vocabulary, word dim]; undefined where it has no table of its own.
  virtual torch::Tensor words_of(SystemLanguage) { return {}; }
  // Before training: what reads the words of `language` becomes as that of `other`, but for what
  // differs in size.
  virtual void start_like(SystemLanguage, SystemLanguage) {}
  // True when images lie in one space for all languages.
  virtual bool shares_image_space() const { return true; }
  // How a caption's vector compares with an image's.
  virtual Score score() const { return Score::dot; }
  // Before each batch.
  virtual void set_stage(Stage stage, const Done& done) = 0;
  // What a stage minimises, in words: its kind and what the size of its gradients depends on.
  virtual std::string loss_in(Stage stage) const = 0;
  // Takes the sizes of what training settles (how many latent tokens are used) from the tensors
  // that are about to be loaded; `prefix` precedes each parameter's name.
  virtual void fit_sizes(const std::map<std::string, torch::Tensor>&, const std::string&) {}
  // The name of the child module that reads the words of `language`.
  virtual std::string reader_of(SystemLanguage language) const = 0;
  // From here on only this child module learns; the others stay as they are, batch statistics too.
  void train_only(const std::string& child);
  void train(bool on = true) override;
  // True when the system has something to learn in Stage::pretrain.
  virtual bool pretrains() const { return false; }

 private:
  std::string learner_;  // empty: all children
};

// A system that retrieves, of options that check_recipe lets pass. Throws InputError where they do
// not fit the data. To add a system: its files, its test, a recipe, a SystemKind, and one line in
// the table of retrieval_system.cc.
std::shared_ptr<RetrievalSystem> make_system(const SystemOptions& options,
                                             const SystemInput& input);

}  // namespace hinny
