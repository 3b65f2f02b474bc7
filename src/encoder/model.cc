#include "encoder/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "encoder/layers.h"
#include "encoder/sentence_encoder.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::array kFiles = {kConfigFile, kWeightsFile, kVocabularyFile};

}  // namespace

Model Model::open(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw InputError(folder, fs::exists(folder) ? "not a folder" : "no such folder",
                     "a run folder with config.json in it");
  }
  if (!fs::exists(folder / kConfigFile)) {
    throw InputError(folder, "holds no model", "a folder with config.json in it");
  }
  Model model(folder, read_model_config(folder / kConfigFile),
              read_vocabularies(folder / kVocabularyFile));
  model.check();
  return model;
}

Model::Model(fs::path folder, ModelConfig config, Vocabularies vocabularies)
    : folder_(std::move(folder)),
      config_(std::move(config)),
      weights_(folder_ / kWeightsFile),
      vocabularies_(std::move(vocabularies)) {}

void Model::check_latents(const TextSpec& text, std::size_t words) const {
  const std::size_t own = weights_.rows(text.words);
  weights_.check(text.latents, {weights_.rows(text.latents), text.encoder.input});
  if (own > words) {
    throw InputError(folder_ / kWeightsFile, fmt::format("'{}' has {} rows", text.words, own),
                     fmt::format("at most {}, the words of '{}'", words, text.vocabulary));
  }
  weights_.check(text.latent_of, {words - own});
  const auto tokens = static_cast<float>(weights_.rows(text.latents));
  for (const float token : weights_.numbers(text.latent_of)) {
    if (token >= 0 && token < tokens && token == std::floor(token)) continue;
    throw InputError(folder_ / kWeightsFile, fmt::format("{} in '{}'", token, text.latent_of),
                     fmt::format("a row of '{}'", text.latents));
  }
}

std::vector<float> Model::word(const TextSpec& text, std::int32_t id) const {
  const auto row = static_cast<std::size_t>(id);
  const std::size_t own = weights_.rows(text.words);
  if (row >= own) {
    std::vector<float> token(text.encoder.input);
    weights_.row(text.latents,
                 static_cast<std::size_t>(weights_.numbers(text.latent_of)[row - own]), token);
    return token;
  }
  std::vector<float> word(weights_.columns(text.words));
  weights_.row(text.words, row, word);
  return apply_layers(weights_, text.word_layers, std::move(word), 1);
}

void Model::check_words(const std::string& language, const TextSpec& text) const {
  if (!vocabularies_.contains(text.vocabulary)) {
    throw InputError(folder_ / kVocabularyFile, fmt::format("no vocabulary '{}'", text.vocabulary),
                     fmt::format("the one of language {}", language));
  }
  const auto words = static_cast<std::size_t>(vocabularies_.at(text.vocabulary).size());
  const std::size_t word_size = weights_.columns(text.words);
  const std::size_t own = text.latents.empty() ? words : weights_.rows(text.words);
  weights_.check(text.words, {own, word_size});
  if (!text.latents.empty()) check_latents(text, words);
  if (check_layers(weights_, text.word_layers, word_size) != text.encoder.input) {
    throw InputError(
        folder_ / kConfigFile,
        fmt::format("text.{}: the encoder reads {} numbers a word", language, text.encoder.input),
        "as many as the words and word_layers give");
  }
  check_sentence_encoder(weights_, text.encoder);
}

void Model::check() const {
  const auto check_dim = [&](const std::string& what, std::size_t size) {
    if (size == config_.dim) return;
    throw InputError(folder_ / kConfigFile, fmt::format("{} gives {} numbers", what, size),
                     fmt::format("{}, the model's dim", config_.dim));
  };
  for (const auto& [language, text] : config_.text) {
    if (text.encoder.kind != EncoderKind::given) check_words(language, text);
    check_dim("text." + language, check_layers(weights_, text.layers, text.encoder.output()));
  }
  for (const auto& [space, layers] : config_.image) {
    check_dim("image." + space, check_layers(weights_, layers, config_.features.dim()));
  }
  if (config_.features.standardise) {
    weights_.check("features.mean", {config_.features.dim()});
    weights_.check("features.scale", {config_.features.dim()});
  }
}

void Model::check_reads_words() const {
  for (const auto& [language, text] : config_.text) {
    if (text.encoder.kind != EncoderKind::given) continue;
    throw InputError(folder_ / kConfigFile,
                     "this model reads sentence vectors that another program made",
                     "a model that reads words");
  }
}

void Model::check_searchable() const {
  check_reads_words();
  if (config_.score == Score::dot) return;
  throw InputError(folder_ / kConfigFile, "this model compares by order, not by dot product",
                   "a model trained with loss.distance cosine or euclidean");
}

const TextSpec& Model::text(const std::string& language) const {
  const auto found = config_.text.find(language);
  if (found == config_.text.end()) {
    throw InputError(fmt::format("the model has no language '{}'", language),
                     fmt::format("{}", fmt::join(config_.languages, ", ")));
  }
  return found->second;
}

const Vocabulary& Model::vocabulary(const std::string& language) const {
  return vocabularies_.at(text(language).vocabulary);
}

std::string model_hash(const fs::path& folder) {
  std::string parts;
  for (const std::string_view name : kFiles) parts += content_hash(folder / name);
  return content_hash(std::string_view(parts));
}

}  // namespace hinny
