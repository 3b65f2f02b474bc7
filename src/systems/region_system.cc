#include "systems/region_system.h"

#include "base/error.h"
#include "nn/harder_negatives.h"
#include "nn/layers.h"

namespace hinny {
namespace {

// What other systems do and these would silently leave out.
void check_ignored(const SystemOptions& options) {
  const TextSettings& text = options.text;
  const ImageSettings& image = options.image;
  const LossSettings& loss = options.loss;
  const std::pair<const char*, bool> ignored[] = {
      {"text.mule_dim", text.mule_dim > 0},
      {"text.latents", text.latents > 0},
      {"text.characters", text.characters > 0},
      {"text.dropout", text.dropout > 0},
      {"text.project", text.project},
      {"image.hidden", image.hidden > 0},
      {"image.dropout", image.dropout > 0},
      {"image.input_dropout", image.input_dropout > 0},
      {"image.branch", image.branch != "shared"},
      {"loss.distance", loss.distance != "cosine"},
      {"loss.neighbourhood", loss.neighbourhood > 0},
      {"loss.cross_neighbourhood", loss.cross_neighbourhood > 0},
      {"loss.adversary", loss.adversary > 0},
      {"loss.word_drift", loss.word_drift > 0},
      {"loss.masked", loss.masked > 0},
      {"pretrain.epochs", options.pretrain.epochs > 0},
  };
  for (const auto& [key, is_set] : ignored) {
    if (!is_set) continue;
    throw InputError(std::string(key) + " has no effect on system '" + options.system + "'",
                     "recipe san, dan or scan without it");
  }
}

void check(const SystemOptions& options, const SystemInput& input) {
  check_ignored(options);
  if (input.regions < 2) {
    throw InputError("system '" + options.system + "' with one vector a picture",
                     "features of regions, [images, regions, numbers]");
  }
  if (options.text.hidden != options.dim || options.text.encoder == "mean" ||
      options.text.encoder == "given") {
    throw InputError("system '" + options.system + "' whose words have another size than regions",
                     "text.encoder = gru or lstm, text.hidden = dim");
  }
  const auto& weights = options.loss.language_weights;
  for (const std::string& language : input.languages) {
    if (weights.empty() || weights.contains(language)) continue;
    throw InputError("loss.language_weights without '" + language + "'",
                     "a weight for each language, or none");
  }
  if (options.loss.harder_negatives && options.loss.kind != "triplet") {
    throw InputError("loss.harder_negatives with loss.kind = " + options.loss.kind,
                     "loss.kind = triplet, or loss.harder_negatives = false");
  }
}

}  // namespace

RegionSystem::RegionSystem(const SystemOptions& options, const SystemInput& input)
    : options_(options), input_(input), loss_(*this, options.loss) {
  check(options, input);
  const TextSettings& text = options.text;
  const bool shared = text.vocabulary == "shared";
  TextTowerOptions tower;
  tower.word_dim = text.dim;
  tower.word_range = text.word_range;
  tower.finetune = text.finetune;
  tower.head.encoder = {text.encoder,       text.dim,   text.hidden,
                        text.bidirectional, text.reset, options.precision};
  tower.head.output = options.dim;
  tower.head.project = false;
  const auto owner = register_module("text", std::make_shared<torch::nn::Module>("text"));
  head_ = std::make_shared<SentenceHead>(*owner, tower.head);
  for (std::size_t i = 0; i < (shared ? 1 : input.languages.size()); ++i) {
    tower.vocabulary = input.vocabulary_sizes[i];
    towers_.push_back(register_module(shared ? "text_shared" : "text_" + input.languages[i],
                                      std::make_shared<TextTower>(tower, head_)));
  }
  region_ = register_module(
      "image", std::make_shared<Linear>(input.feature_dim / input.regions, options.dim));
}

torch::Tensor RegionSystem::regions(const torch::Tensor& features) {
  const torch::Tensor rows =
      features.reshape({features.size(0) * input_.regions, features.size(1) / input_.regions});
  return region_->forward(rows).view({features.size(0), input_.regions, options_.dim});
}

torch::Tensor RegionSystem::words(const CaptionBatch& captions, int language) {
  const torch::Tensor states = head_->states(tower(language).words(captions));
  return options_.text.bidirectional ? states.view({states.size(0), 2, options_.dim}).mean(1)
                                     : states;
}

torch::Tensor RegionSystem::encode_images(const torch::Tensor& features, int) {
  return pictures(regions(features));
}

torch::Tensor RegionSystem::encode_captions(const CaptionBatch& captions, int language) {
  return sentences(words(captions, language), captions);
}

torch::Tensor RegionSystem::compare(const torch::Tensor& pictures, const torch::Tensor& sentences,
                                    const CaptionBatch&) {
  return row_products(pictures, sentences);
}

torch::Tensor RegionSystem::pair_scores(const torch::Tensor& features, const CaptionBatch& captions,
                                        int language) {
  return compare(encode_images(features, language), encode_captions(captions, language), captions);
}

std::vector<LossTerm> RegionSystem::losses(const Batch& batch) {
  const torch::Tensor images = encode_images(batch.features, 0);
  std::vector<LossTerm> terms;
  std::vector<LanguageScores> together;
  for (const auto& [language, captions] : batch.languages) {
    const torch::Tensor scores = compare(images, encode_captions(captions, language), captions).t();
    const std::string& name = input_.languages[static_cast<std::size_t>(language)];
    if (options_.loss.harder_negatives && !loss_.warming_up()) {
      together.push_back({scores, captions.rows, weight_of(name)});
    } else {
      terms.push_back({"rank_" + name, loss_->of_scores(scores, captions.rows), 1.0});
    }
  }
  if (!together.empty()) {
    double sum = 0;
    for (const LanguageScores& language : together) sum += language.weight;
    for (LanguageScores& language : together) language.weight /= sum;
    terms.push_back({"rank", harder_negatives(together, options_.loss), 1.0});
  }
  return terms;
}

double RegionSystem::weight_of(const std::string& language) const {
  const auto& weights = options_.loss.language_weights;
  return weights.empty() ? 1.0 : weights.at(language);
}

void RegionSystem::set_words(int language, const torch::Tensor& vectors) {
  tower(language).set_words(vectors);
}

void RegionSystem::set_stage(Stage stage, double done) {
  loss_.set_stage(stage, hard_share(options_.loss, done));
}

nlohmann::json RegionSystem::describe() const {
  const bool shared = options_.text.vocabulary == "shared";
  nlohmann::json text = nlohmann::json::object();
  for (std::size_t i = 0; i < input_.languages.size(); ++i) {
    const std::string name = shared ? "shared" : input_.languages[i];
    nlohmann::json entry = towers_[shared ? 0 : i]->describe("text_" + name, "text");
    entry["encoder"]["output"] = "words";
    entry["layers"] = describe_pooling("text");
    entry["vocabulary"] = name;
    entry["unknown"] = options_.text.unknown;
    entry["markers"] = options_.text.markers;
    entry["space"] = "image";
    text[input_.languages[i]] = std::move(entry);
  }
  nlohmann::json image = {describe_layer("linear", "image")};
  for (const nlohmann::json& layer : describe_pooling("image")) image.push_back(layer);
  return {{"dim", vector_size()}, {"text", text}, {"image", {{"image", {{"layers", image}}}}}};
}

}  // namespace hinny
