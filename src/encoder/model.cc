#include "encoder/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/content_hash.h"
#include "base/request_error.h"
#include "encoder/layers.h"
#include "encoder/pooling.h"
#include "encoder/sentence_encoder.h"
#include "retrieval/score.h"
#include "text/language_code.h"
#include "text/spelling.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

double total_count(const Vocabulary& vocabulary) {
  double total = 0;
  for (std::int32_t id = kFirstWord; id < vocabulary.size(); ++id) {
    total += static_cast<double>(vocabulary.count(id));
  }
  return total;
}

}  // namespace

Model Model::open(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw InputError(folder, fs::exists(folder) ? "not a folder" : "no such folder",
                     "a run folder with config.json in it");
  }
  if (!fs::exists(folder / kConfigFile)) {
    throw InputError(folder, "holds no model", "a folder with config.json in it");
  }
  ModelConfig config = read_model_config(folder / kConfigFile);
  Vocabularies vocabularies;
  if (!config.transformer) vocabularies = read_vocabularies(folder / kVocabularyFile);
  Model model(folder, std::move(config), std::move(vocabularies));
  model.check();
  if (model.config_.transformer) {
    model.tokenizer_ =
        std::make_shared<const SubwordTokenizer>(SubwordTokenizer::open(folder / kTokenizerFile));
    model.check_tower();
    model.tower_ =
        std::make_shared<const TextTower>(*model.weights_, kTextTower, *model.config_.transformer);
  }
  return model;
}

Model::Model(fs::path folder, ModelConfig config, Vocabularies vocabularies)
    : folder_(std::move(folder)),
      config_(std::move(config)),
      weights_(std::make_shared<const Weights>(folder_ / kWeightsFile)),
      vocabularies_(std::move(vocabularies)) {
  const auto parts = std::make_shared<std::map<std::string, Lazy<WordParts>>>();
  for (const auto& [name, vocabulary] : vocabularies_) {
    words_seen_[name] = total_count(vocabulary);
    (*parts)[name];
  }
  parts_ = parts;
  const auto plain = std::make_shared<std::map<std::string, Lazy<PlainWords>>>();
  for (const std::string& language : config_.languages) (*plain)[language];
  plain_words_ = plain;
}

void Model::check_latents(const TextSpec& text, std::size_t words) const {
  const std::size_t own = weights_->rows(text.words);
  weights_->check(text.latents, {weights_->rows(text.latents), text.encoder.input});
  if (own > words) {
    throw InputError(folder_ / kWeightsFile, fmt::format("'{}' has {} rows", text.words, own),
                     fmt::format("at most {}, the words of '{}'", words, text.vocabulary));
  }
  weights_->check(text.latent_of, {words - own});
  check_rows(text.latent_of, weights_->rows(text.latents), text.latents);
}

void Model::check_rows(const std::string& tensor, std::size_t rows, const std::string& of) const {
  for (const float row : weights_->numbers(tensor)) {
    if (row >= 0 && row < static_cast<float>(rows) && row == std::floor(row)) continue;
    throw InputError(folder_ / kWeightsFile, fmt::format("{} in '{}'", row, tensor),
                     fmt::format("a row of '{}'", of));
  }
}

void Model::check_borrowed(const TextSpec& text, std::size_t words) const {
  const auto lender = config_.text.find(text.borrows);
  if (lender == config_.text.end() || !lender->second.borrows.empty() ||
      lender->second.words.empty()) {
    throw InputError(folder_ / kConfigFile, fmt::format("words borrowed from '{}'", text.borrows),
                     "a language of the model with words of its own");
  }
  const std::size_t own = weights_->rows(text.words);
  weights_->check(text.borrowed, {words - std::min(own, words)});
  check_rows(text.borrowed, weights_->rows(lender->second.words), lender->second.words);
  if (lender->second.encoder.input == text.encoder.input) return;
  throw InputError(folder_ / kConfigFile, "words borrowed from another space", "the same size");
}

// -> how many numbers a word is.
std::size_t Model::check_characters(const TextSpec& text) const {
  const auto characters = vocabularies_.find(kCharacters);
  if (characters == vocabularies_.end()) {
    throw InputError(folder_ / kVocabularyFile, fmt::format("no vocabulary '{}'", kCharacters),
                     "the characters that words are spelled with");
  }
  const std::size_t size = weights_->columns(text.characters);
  weights_->check(text.characters, {static_cast<std::size_t>(characters->second.size()), size});
  return size * text.most_characters;
}

std::vector<float> Model::spelled(const TextSpec& text, std::string_view word, bool& known) const {
  std::vector<std::int32_t> ids(text.most_characters);
  known = spell(word, vocabularies_.at(kCharacters), ids) > 0;
  const std::size_t size = weights_->columns(text.characters);
  std::vector<float> letters(ids.size() * size);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    weights_->row(text.characters, static_cast<std::size_t>(ids[i]),
                  std::span(letters).subspan(i * size, size));
  }
  return apply_layers(*weights_, text.word_layers, std::move(letters), 1);
}

std::vector<float> Model::word(const TextSpec& text, std::int32_t id) const {
  const auto row = static_cast<std::size_t>(id);
  const std::size_t own = weights_->rows(text.words);
  if (row >= own && !text.borrowed.empty()) {
    return this->word(config_.text.at(text.borrows),
                      static_cast<std::int32_t>(weights_->numbers(text.borrowed)[row - own]));
  }
  if (row >= own) {
    std::vector<float> token(text.encoder.input);
    weights_->row(text.latents,
                  static_cast<std::size_t>(weights_->numbers(text.latent_of)[row - own]), token);
    return token;
  }
  std::vector<float> word(weights_->columns(text.words));
  weights_->row(text.words, row, word);
  return apply_layers(*weights_, text.word_layers, std::move(word), 1);
}

void Model::check_vocabulary(const std::string& language, const TextSpec& text) const {
  if (!vocabularies_.contains(text.vocabulary)) {
    throw InputError(folder_ / kVocabularyFile, fmt::format("no vocabulary '{}'", text.vocabulary),
                     fmt::format("the one of language {}", language));
  }
}

void Model::check_words(const std::string& language, const TextSpec& text) const {
  check_vocabulary(language, text);
  const auto words = static_cast<std::size_t>(vocabularies_.at(text.vocabulary).size());
  const std::size_t word_size =
      text.characters.empty() ? weights_->columns(text.words) : check_characters(text);
  if (text.characters.empty()) {
    const bool all_own = text.latents.empty() && text.borrows.empty();
    weights_->check(text.words, {all_own ? words : weights_->rows(text.words), word_size});
  }
  if (!text.latents.empty()) check_latents(text, words);
  if (!text.borrows.empty()) check_borrowed(text, words);
  if (check_layers(*weights_, text.word_layers, word_size) != text.encoder.input) {
    throw InputError(
        folder_ / kConfigFile,
        fmt::format("text.{}: the encoder reads {} numbers a word", language, text.encoder.input),
        "as many as the words and word_layers give");
  }
  check_sentence_encoder(*weights_, text.encoder);
}

void Model::check_pools(const std::string& what, const std::vector<LayerSpec>& layers,
                        bool several) const {
  const auto count = std::ranges::count_if(layers, pools);
  if (count == (several ? 1 : 0)) return;
  throw InputError(folder_ / kConfigFile, fmt::format("{}: {} layers that pool", what, count),
                   several ? "one, for its rows" : "none, for it has one row");
}

// Words and regions are compared one by one, so they are of one size.
void Model::check_attention() const {
  const auto items = [&](const std::vector<LayerSpec>& layers, std::size_t input) {
    return check_layers(*weights_, {layers.begin(), std::ranges::find_if(layers, pools)}, input);
  };
  const FeatureSpec& features = config_.features;
  for (const auto& [language, text] : config_.text) {
    const std::size_t word = items(text.layers, text.encoder.output());
    const std::size_t region =
        items(config_.image.at(text.space), features.dim() / features.regions);
    if (text.encoder.every_word && features.regions > 1 && word == region && word == config_.dim) {
      continue;
    }
    throw InputError(
        folder_ / kConfigFile,
        fmt::format("words with {} numbers compared with regions with {}", word, region),
        "every word, and regions of its size (a run of an earlier version: train it again)");
  }
}

void Model::check_tower() const {
  check_text_tower(*weights_, kTextTower, *config_.transformer);
  const auto pieces = static_cast<std::size_t>(tokenizer_->size());
  if (pieces > config_.transformer->vocabulary) {
    throw InputError(
        folder_ / kTokenizerFile, fmt::format("{} pieces", pieces),
        fmt::format("at most {}, the rows of the model's table", config_.transformer->vocabulary));
  }
  if (config_.transformer->padded && tokenizer_->padding() < 0) {
    throw InputError(folder_ / kTokenizerFile, "no id to fill sentences up with",
                     "one: the model reads them padded");
  }
  if (tokenizer_->marks() <= config_.transformer->positions) return;
  throw InputError(folder_ / kTokenizerFile, "more marks than the model has positions", "");
}

void Model::check() const {
  const auto check_dim = [&](const std::string& what, std::size_t size) {
    if (size == config_.dim) return;
    throw InputError(folder_ / kConfigFile, fmt::format("{} gives {} numbers", what, size),
                     fmt::format("{}, the model's dim", config_.dim));
  };
  for (const auto& [language, text] : config_.text) {
    if (text.encoder.kind != EncoderKind::given && !config_.transformer) {
      check_words(language, text);
    }
    check_dim("text." + language, check_layers(*weights_, text.layers, text.encoder.output()));
    check_pools("text." + language, text.layers, text.encoder.every_word);
  }
  const std::size_t row = config_.features.dim() / config_.features.regions;
  for (const auto& [space, layers] : config_.image) {
    check_dim("image." + space, check_layers(*weights_, layers, row));
    check_pools("image." + space, layers, config_.features.regions > 1);
  }
  if (config_.attention) check_attention();
  if (config_.features.standardise) {
    weights_->check("features.mean", {config_.features.dim()});
    weights_->check("features.scale", {config_.features.dim()});
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
  if (config_.late) check_attention();
  if (config_.score == Score::dot) return;
  throw InputError(folder_ / kConfigFile, "this model compares by order, not by dot product",
                   "a model trained with loss.distance cosine or euclidean");
}

const TextSpec& Model::text(const std::string& language) const {
  const auto found = config_.text.find(language);
  return found != config_.text.end() ? found->second : config_.text.at(this->language(language));
}

const std::string& Model::language(const std::string& code) const {
  const auto found = config_.text.find(code);
  if (found != config_.text.end()) return found->first;
  const auto meant = find_language(config_.languages, code);
  if (meant) return config_.text.find(*meant)->first;
  throw RequestError(fmt::format("the model has no language '{}'", code),
                     languages_expected(config_.languages));
}

const PlainWords& Model::plain_words(const std::string& language) const {
  return plain_words_->at(this->language(language)).get([&] {
    return PlainWords(vocabulary(language), language);
  });
}

const Vocabulary& Model::vocabulary(const std::string& language) const {
  return vocabularies_.at(text(language).vocabulary);
}

const WordParts& Model::parts(const std::string& language) const {
  return parts_->at(text(language).vocabulary).get([&] { return WordParts(vocabulary(language)); });
}

double Model::words_seen(const std::string& language) const {
  return words_seen_.at(text(language).vocabulary);
}

std::optional<HubBank> hubs_of(const Model& model) {
  const fs::path file = model.folder() / kHubsFile;
  if (!fs::exists(file)) return std::nullopt;
  HubBank bank = read_hubs(file, model.config().dim);
  for (const auto& [space, layers] : model.config().image) {
    if (!bank.spaces.contains(space)) {
      throw InputError(file, fmt::format("nothing of space '{}'", space), "each of the model's");
    }
    if (bank.spaces.at(space).lengths.empty() == model.config().late.has_value()) {
      throw InputError(file, "of another kind of model",
                       "captions' words where words are compared with regions, else vectors");
    }
  }
  return bank;
}

std::string model_hash(const fs::path& folder) {
  std::string parts;
  const bool pretrained = fs::exists(folder / kTokenizerFile);
  for (const std::string_view name :
       {kConfigFile, kWeightsFile, pretrained ? kTokenizerFile : kVocabularyFile}) {
    parts += content_hash(folder / name);
  }
  return content_hash(std::string_view(parts));
}

}  // namespace hinny
