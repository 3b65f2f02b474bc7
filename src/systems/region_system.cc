#include "systems/region_system.h"

#include "systems/describe_words.h"
#include "systems/region_checks.h"
#include "text/vocabulary.h"

namespace hinny {
namespace {

// Names of modules: of the encoder that languages share, and of the regions' layer.
constexpr const char* kSharedEncoder = "text";
constexpr const char* kImage = "image";

}  // namespace

RegionSystem::RegionSystem(const SystemOptions& options, const SystemInput& input)
    : options_(options), input_(input), loss_(*this, options) {
  check_region_data(options, input);
  const TextSettings& text = options.text;
  const bool shared = text.vocabulary == Sharing::shared;
  TextTowerOptions tower;
  tower.word_dim = text.dim;
  tower.word_range = text.word_range;
  tower.finetune = text.finetune;
  tower.head.encoder = {text.encoder, text.dim,          text.hidden,   text.bidirectional,
                        text.reset,   options.precision, text.gate_bias};
  tower.head.output = options.dim;
  tower.head.project = false;
  const auto owner =
      register_module(kSharedEncoder, std::make_shared<ModuleWithRoles>(kSharedEncoder));
  head_ = std::make_shared<SentenceHead>(*owner, tower.head);
  for (std::size_t i = 0; i < (shared ? 1 : input.languages.size()); ++i) {
    tower.vocabulary = input.vocabulary_sizes[i];
    towers_.push_back(register_module(RegionSystem::reader_of(SystemLanguage{static_cast<int>(i)}),
                                      std::make_shared<TextTower>(tower, head_)));
  }
  region_ = register_module(
      kImage,
      std::make_shared<Linear>(input.feature_dim / input.regions, options.dim, options.precision),
      {TensorPart::image});
}

torch::Tensor RegionSystem::regions(const torch::Tensor& features) {
  const torch::Tensor rows =
      features.reshape({features.size(0) * input_.regions, features.size(1) / input_.regions});
  return region_->forward(rows).view({features.size(0), input_.regions, options_.dim});
}

torch::Tensor RegionSystem::words(const CaptionBatch& captions, SystemLanguage language) {
  const torch::Tensor states = head_->states(tower(language).words(captions));
  return options_.text.bidirectional ? states.view({states.size(0), 2, options_.dim}).mean(1)
                                     : states;
}

torch::Tensor RegionSystem::encode_images(const torch::Tensor& features, SystemLanguage) {
  return pictures(regions(features));
}

torch::Tensor RegionSystem::encode_captions(const CaptionBatch& captions, SystemLanguage language) {
  return sentences(words(captions, language), captions);
}

std::vector<LossTerm> RegionSystem::losses(const Batch& batch) {
  const torch::Tensor images =
      used_in_shards(in_shards(batch.features.size(0), [&](const Shard& shard) {
        return pictures(regions(shard.of(batch.features)));
      }));
  std::vector<LossTerm> terms;
  std::vector<LanguageScores> together;
  for (const Batch::Language& entry : batch.languages) {
    const CaptionBatch& captions = entry.captions;
    const torch::Tensor scores = in_shards(captions.captions(), [&](const Shard& shard) {
      const CaptionBatch some = shard_of(captions, shard);
      return compare(images, encode_captions(some, entry.language), some).t();
    });
    if (options_.loss.harder_negatives && loss_.stage() != Stage::warmup) {
      for (LanguageScores& type : types_of(entry, scores)) together.push_back(std::move(type));
    } else {
      terms.push_back(
          {"rank_" + language_name(entry), loss_->of_scores(scores, captions.rows), 1.0});
    }
  }
  if (!together.empty()) {
    double sum = 0;
    for (const LanguageScores& language : together) sum += language.weight;
    for (LanguageScores& language : together) language.weight /= sum;
    terms.push_back({"rank", harder_negatives(together, loss_.options()), 1.0});
  }
  return terms;
}

// "in ALL language types" (Huang et al. 2020, Eq. 10), among which theirs tell English by people
// from English by a machine.
std::vector<LanguageScores> RegionSystem::types_of(const Batch::Language& entry,
                                                   const torch::Tensor& scores) const {
  const torch::Tensor& rows = entry.captions.rows;
  const std::string& name = language_name(entry);
  if (options_.loss.types == CaptionTypes::languages)
    return {{scores, rows, weight_of(name, name)}};
  std::vector<LanguageScores> types;
  for (const bool machine : {false, true}) {
    const torch::Tensor of_type =
        (machine ? entry.captions.by_machine : entry.captions.by_machine.logical_not())
            .nonzero()
            .squeeze(1)
            .to(scores.device());
    if (of_type.numel() == 0) continue;
    types.push_back({scores.index_select(0, of_type), rows.index_select(0, of_type),
                     weight_of(name, machine ? machine_type(name) : name)});
  }
  return types;
}

double RegionSystem::weight_of(const std::string& language, const std::string& type) const {
  const auto& weights = options_.loss.language_weights;
  if (weights.empty()) return 1.0;
  const auto found = weights.find(type);
  return found != weights.end() ? found->second : weights.at(language);
}

void RegionSystem::set_words(SystemLanguage language, const torch::Tensor& vectors) {
  tower(language).set_words(vectors);
}

void RegionSystem::set_stage(Stage stage, const Done& done) { loss_.set_stage(stage, done); }

std::string RegionSystem::reader_of(SystemLanguage language) const {
  return "text_" + (options_.text.vocabulary == Sharing::shared
                        ? kSharedVocabulary
                        : input_.languages[static_cast<std::size_t>(language)]);
}

ModelConfig RegionSystem::describe() const {
  ModelConfig config;
  config.dim = static_cast<std::size_t>(vector_size());
  for (std::size_t i = 0; i < input_.languages.size(); ++i) {
    const std::string reader = reader_of(SystemLanguage{static_cast<int>(i)});
    TextSpec spec = towers_[towers_.size() == 1 ? 0 : i]->describe(reader, kSharedEncoder);
    spec.encoder.every_word = true;
    spec.layers = describe_pooling("text");
    spec.space = kImage;
    describe_words(options_.text, input_.languages[i], spec);
    config.text[input_.languages[i]] = std::move(spec);
  }
  std::vector<LayerSpec>& layers = config.image[kImage];
  layers.push_back({LayerKind::linear, kImage});
  for (LayerSpec& layer : describe_pooling("image")) layers.push_back(std::move(layer));
  return config;
}

}  // namespace hinny
