#include "systems/two_branch.h"

#include <ATen/ops/_unique.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/utils.h>

#include <algorithm>

#include "base/error.h"
#include "nn/character_tower.h"
#include "systems/describe_words.h"
#include "text/vocabulary.h"

namespace hinny {
namespace {

// Names of modules: of the sentence head that languages share, and of their tokens.
constexpr const char* kHead = "text";
constexpr const char* kLatent = "latent";

}  // namespace

TwoBranch::TwoBranch(const SystemOptions& options, const SystemInput& input)
    : options_(options), input_(input), loss_(*this, options) {
  add_text_towers();
  add_image_branches();
}

void TwoBranch::add_text_towers() {
  const TextSettings& text = options_.text;
  const bool separate = text.vocabulary == Sharing::per_language;
  std::shared_ptr<SentenceHead> shared;
  if (text.mule_dim > 0) {
    const auto owner = register_module(kHead, std::make_shared<ModuleWithRoles>(kHead));
    shared = std::make_shared<SentenceHead>(*owner, head_options());
  }
  if (text.latents > 0) {
    latent_ = register_module(
        kLatent, std::make_shared<LatentVocabulary>(LatentOptions{
                     text.latents, text.dim, text.mule_dim, text.explore, text.explore_among}));
  }
  for (std::size_t i = 0; i < (separate ? input_.languages.size() : 1); ++i) {
    text_names_.push_back(separate ? "text_" + input_.languages[i] : "text");
    text_.push_back(register_module(text_names_.back(), make_tower(i, shared)));
  }
  lend_words();
}

void TwoBranch::lend_words() {
  if (borrowers_.empty()) return;
  const std::string& lender = options_.text.lender;
  const auto place = std::ranges::find(input_.languages, lender);
  if (place == input_.languages.end() || input_.borrowed.contains(lender)) {
    throw InputError("words are borrowed from language '" + lender + "'", "one that is learnt too");
  }
  TextTower& tower =
      this->tower(SystemLanguage{static_cast<int>(place - input_.languages.begin())});
  for (const auto& borrower : borrowers_) borrower->borrow_from(&tower, lender);
}

std::shared_ptr<TextTower> TwoBranch::make_tower(std::size_t language,
                                                 std::shared_ptr<SentenceHead> head) {
  const TextSettings& text = options_.text;
  TextTowerOptions tower;
  tower.vocabulary = text.encoder == EncoderKind::given ? 0 : input_.vocabulary_sizes[language];
  tower.word_dim = text.dim;
  tower.space = text.mule_dim;
  tower.finetune = text.finetune;
  tower.store_start = options_.loss.word_drift > 0;
  tower.word_range = text.word_range;
  tower.head = head_options();
  if (text.characters > 0) {
    const CharacterOptions characters{input_.characters, text.characters, text.most_characters};
    return std::make_shared<CharacterTower>(
        tower, characters,
        at::tensor(input_.spelling, at::kLong).view({tower.vocabulary, text.most_characters}));
  }
  const auto borrowed = input_.borrowed.find(input_.languages[language]);
  if (borrowed != input_.borrowed.end()) {
    tower.vocabulary -= static_cast<std::int64_t>(borrowed->second.size());
    borrowers_.push_back(
        std::make_shared<DictionaryTower>(tower, at::tensor(borrowed->second), std::move(head)));
    return borrowers_.back();
  }
  if (!latent_) return std::make_shared<TextTower>(tower, std::move(head));
  const std::int64_t words = tower.vocabulary;
  tower.vocabulary = std::min(words, text.own_words + kFirstWord);
  tower.word_dim = text.own_dim;
  tower.whiten = text.whiten;
  hybrid_.push_back(
      std::make_shared<HybridTower>(tower, words, text.dim, latent_, std::move(head)));
  return hybrid_.back();
}

void TwoBranch::settle_latents() {
  std::vector<torch::Tensor> chosen;
  for (const auto& tower : hybrid_) {
    if (options_.pretrain.epochs > 0) tower->start_own_words();
    chosen.push_back(tower->choose());
  }
  const torch::Tensor all = at::cat(chosen);
  const auto used = at::_unique(all, /*sorted=*/true, /*return_inverse=*/true);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < hybrid_.size(); ++i) {
    const std::int64_t words = chosen[i].size(0);
    hybrid_[i]->settle(std::get<1>(used).slice(0, begin, begin + words));
    begin += words;
  }
  // Vocabularies that are all own words leave one token, unused: files know no empty tables.
  latent_->settle(all.size(0) > 0 ? std::get<0>(used) : at::zeros({1}, all.options()));
}

void TwoBranch::fit_sizes(const std::map<std::string, torch::Tensor>& tensors,
                          const std::string& prefix) {
  if (!latent_ || !latent_->fit_sizes(tensors, prefix + kLatent + ".")) return;
  for (const auto& tower : hybrid_) tower->forget_features();
}

SentenceHeadOptions TwoBranch::head_options() const {
  const TextSettings& text = options_.text;
  const std::int64_t input = text.mule_dim > 0 ? text.mule_dim : text.dim;
  return {{text.encoder, input, text.hidden, text.bidirectional, text.reset, options_.precision,
           text.gate_bias},
          text.dropout,
          options_.dim,
          text.project,
          options_.loss.distance == Distance::order};
}

void TwoBranch::add_image_branches() {
  const ImageSettings& image = options_.image;
  const bool separate = image.branch == Sharing::per_language;
  for (std::size_t i = 0; i < (separate ? input_.languages.size() : 1); ++i) {
    ImageBranchOptions branch;
    branch.input = input_.feature_dim;
    branch.hidden = image.hidden;
    branch.output = options_.dim;
    branch.batch_norm = image.batch_norm;
    branch.dropout = image.dropout;
    branch.input_dropout = image.input_dropout;
    branch.positive = options_.loss.distance == Distance::order;
    branch.precision = options_.precision;
    branch.given = kTaught.contains(options_.system);
    image_names_.push_back(separate ? "image_" + input_.languages[i] : "image");
    images_.push_back(register_module(image_names_.back(), std::make_shared<ImageBranch>(branch),
                                      {TensorPart::image}));
  }
}

torch::Tensor TwoBranch::encode_images(const torch::Tensor& features, SystemLanguage language) {
  return of_language(images_, language)->forward(features);
}

std::vector<torch::Tensor> TwoBranch::encode_batch_images(const Batch& batch) {
  std::vector<torch::Tensor> images;
  for (const auto& entry : batch.languages) {
    const bool known = shares_image_space() && !images.empty();
    images.push_back(known ? images.front() : encode_images(batch.features, entry.language));
  }
  return images;
}

torch::Tensor TwoBranch::encode_captions(const CaptionBatch& captions, SystemLanguage language) {
  return tower(language).forward(captions);
}

void TwoBranch::set_words(SystemLanguage language, const torch::Tensor& vectors) {
  tower(language).set_words(vectors);
}

void TwoBranch::start_images_along(const torch::Tensor& directions, const torch::Tensor& spread) {
  for (const auto& branch : images_) branch->start_along(directions, spread);
}

void TwoBranch::start_along(const torch::Tensor& directions, const torch::Tensor& spread) {
  start_images_along(directions, spread);
  for (const auto& tower : text_) tower->start_as_identity();
}

torch::Tensor TwoBranch::words_of(SystemLanguage language) {
  return latent_ || !borrowers_.empty() ? torch::Tensor() : tower(language).word_vectors();
}

void TwoBranch::start_like(SystemLanguage language, SystemLanguage other) {
  const torch::NoGradGuard no_gradient;
  const auto from = tower(other).named_parameters();
  for (auto& item : tower(language).named_parameters()) {
    const torch::Tensor* found = from.find(item.key());
    if (found != nullptr && found->sizes() == item.value().sizes()) item.value().copy_(*found);
  }
}

Score TwoBranch::score() const {
  return options_.loss.distance == Distance::order ? Score::order : Score::dot;
}

void TwoBranch::set_stage(Stage stage, const Done& done) {
  loss_.set_stage(stage, done);
  if (latent_ && stage != Stage::pretrain && !latent_->settled()) settle_latents();
}

std::vector<Neighbours> TwoBranch::encode_batch_captions(const Batch& batch) {
  std::vector<Neighbours> captions;
  for (const auto& [language, words] : batch.languages) {
    captions.push_back({encode_captions(words, language), words.rows});
  }
  return captions;
}

std::vector<LossTerm> TwoBranch::ranking_losses(const Batch& batch,
                                                const std::vector<torch::Tensor>& images,
                                                const std::vector<Neighbours>& captions,
                                                double weight) {
  std::vector<LossTerm> terms;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    terms.push_back({"rank_" + language_name(batch.languages[i].language),
                     loss_->forward(images[i], captions[i].vectors, captions[i].rows), weight});
  }
  return terms;
}

LossTerm TwoBranch::ranking_loss(const torch::Tensor& scores, const torch::Tensor& rows,
                                 SystemLanguage language, double weight) {
  return {"rank_" + language_name(language), loss_->of_scores(scores, rows), weight};
}

double TwoBranch::share_of_captions(const Batch& batch, std::size_t place) {
  std::int64_t all = 0;
  for (const auto& [language, captions] : batch.languages) all += captions.captions();
  return static_cast<double>(batch.languages[place].captions.captions()) / static_cast<double>(all);
}

LossTerm TwoBranch::pair_loss(const Batch::Pairs& pairs) {
  constexpr SystemLanguage any{};  // one vocabulary for all
  return {"pairs",
          loss_->forward(encode_captions(pairs.first, any), encode_captions(pairs.second, any),
                         pairs.second.rows),
          1.0};
}

void TwoBranch::add_near(const std::string& layer, const Batch& batch,
                         const std::vector<Neighbours>& captions,
                         std::vector<LossTerm>& terms) const {
  const LossSettings& loss = options_.loss;
  // Pretraining alone (LP without NC) is this loss, whatever weight it has afterwards.
  const double weight = stage() == Stage::pretrain ? 1.0 : loss.neighbourhood;
  if (loss.neighbours == NeighbourChoice::any) {  // one pool, as in MULE's paper
    if (weight == 0) return;
    terms.push_back(
        {"near_" + layer, neighbourhood_loss(pooled(captions), loss_.options()), weight});
    return;
  }
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const std::string name = "near_" + layer + "_" + language_name(batch.languages[i].language);
    if (weight > 0) {
      terms.push_back({name, neighbourhood_loss(captions[i], loss_.options()), weight});
    }
    for (std::size_t j = i + 1; loss.neighbours != NeighbourChoice::own && j < captions.size();
         ++j) {
      add_pairs_near(name + "_" + language_name(batch.languages[j].language), captions[i],
                     captions[j], terms);
    }
  }
}

// The earlier language's captions as anchors, as in MULE's code, or both ways (Gella et al. 2017).
void TwoBranch::add_pairs_near(const std::string& name, const Neighbours& a, const Neighbours& b,
                               std::vector<LossTerm>& terms) const {
  const double weight = stage() == Stage::pretrain ? 1.0 : options_.loss.cross_neighbourhood;
  if (weight == 0) return;
  torch::Tensor value = neighbourhood_loss(a, b, loss_.options());
  if (options_.loss.neighbours == NeighbourChoice::both_ways) {
    value = value + neighbourhood_loss(b, a, loss_.options());
  }
  terms.push_back({name, value, weight});
}

ModelConfig TwoBranch::describe() const {
  ModelConfig config;
  config.dim = static_cast<std::size_t>(options_.dim);
  config.score = score();
  for (std::size_t i = 0; i < input_.languages.size(); ++i) {
    const SystemLanguage language{static_cast<int>(i)};
    const std::string reader = reader_of(language);
    TextSpec spec =
        of_language(text_, language)->describe(reader, options_.text.mule_dim > 0 ? kHead : reader);
    if (!spec.latent_of.empty()) spec.latents = LatentVocabulary::describe(kLatent);
    spec.space = of_language(image_names_, language);
    describe_words(options_.text, input_.languages[i], spec);
    config.text[input_.languages[i]] = std::move(spec);
  }
  for (std::size_t i = 0; i < images_.size(); ++i) {
    config.image[image_names_[i]] = images_[i]->describe(image_names_[i]);
  }
  return config;
}

}  // namespace hinny
