// What no training can use.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/error.h"
#include "data/dataset.h"
#include "training/recipe.h"

namespace hinny {
namespace {

void check_one_of(const std::string& file, const char* key, const std::string& value,
                  const std::vector<std::string>& known) {
  for (const std::string& name : known) {
    if (name == value) return;
  }
  throw InputError(fmt::format("{}: {} = '{}'{}", file, key, value, did_you_mean(value, known)),
                   fmt::format("{}", fmt::join(known, ", ")));
}

void check_range(const std::string& file, const char* key, double value, double low, double high) {
  if (value >= low && value <= high) return;
  throw InputError(fmt::format("{}: {} = {}", file, key, value),
                   fmt::format("{} to {}", low, high));
}

// A key that is set and would be ignored is a mistake.
void check_is_used(const std::string& file, const Recipe& recipe) {
  const std::set<std::string> always = {"system",         "languages",         "precision",
                                        "image.features", "image.square_root", "image.standardise"};
  const std::set<std::string> for_all = {"about", "data", "train"};
  const bool translating = translates(recipe);
  for (const std::string& key : differing_keys(Recipe{}, recipe)) {
    const std::string section = key.substr(0, key.find('.'));
    if (always.contains(key) || for_all.contains(section)) continue;
    if ((section == "translation") == translating) continue;
    throw InputError(
        fmt::format("{}: {} has no effect on system {}", file, key, recipe.model.system),
        translating ? "keys of data, translation or train" : "a recipe that translates (nmt, mmt)");
  }
}

}  // namespace

bool translates(const Recipe& recipe) {
  return recipe.model.system == "nmt" || recipe.model.system == "mmt";
}

void check_recipe(const Recipe& recipe, const std::string& file) {
  const TextSettings& text = recipe.model.text;
  const ImageSettings& image = recipe.model.image;
  const LossSettings& loss = recipe.model.loss;
  const SampleSettings& sample = recipe.sample;
  const TrainSettings& train = recipe.train;
  constexpr double kMost = 1 << 20;

  check_range(file, "dim", static_cast<double>(recipe.model.dim), 1, 65536);
  check_one_of(file, "text.vocabulary", text.vocabulary, {"per-language", "shared"});
  check_one_of(file, "text.unknown", text.unknown, {"drop", "token"});
  check_range(file, "text.min_count", static_cast<double>(text.min_count), 1, 1e9);
  check_range(file, "text.max_words", static_cast<double>(text.max_words), 0, 100000);
  check_range(file, "text.dim", static_cast<double>(text.dim), 1, 65536);
  check_range(file, "text.pca", static_cast<double>(text.pca), 0, 65536);
  check_range(file, "text.mule_dim", static_cast<double>(text.mule_dim), 0, 65536);
  if ((text.encoder == "given") == text.sentences.empty() ||
      (text.encoder == "given" && (text.mule_dim > 0 || text.vectors != "random"))) {
    throw InputError(fmt::format("{}: text.encoder = '{}' with text.sentences = '{}'", file,
                                 text.encoder, text.sentences),
                     "\"given\" with a name, without text.mule_dim and text.vectors; or neither");
  }
  if (text.characters > 0 && (text.vocabulary != "shared" || text.vectors != "random" ||
                              text.mule_dim > 0 || text.encoder == "given")) {
    throw InputError(fmt::format("{}: text.characters = {}", file, text.characters),
                     "0; or text.vocabulary = shared, text.vectors = random, text.mule_dim = 0");
  }
  if (!text.dictionary.empty() &&
      (text.mule_dim == 0 || text.vocabulary == "shared" || text.latents > 0)) {
    throw InputError(fmt::format("{}: text.dictionary = '{}'", file, text.dictionary),
                     "none; or text.mule_dim above 0, without text.latents");
  }
  check_range(file, "text.characters", static_cast<double>(text.characters), 0, 4096);
  check_range(file, "text.most_characters", static_cast<double>(text.most_characters), 1, 1024);
  check_range(file, "text.rare", static_cast<double>(text.rare), 1, 1e9);
  const AttentionSettings& attention = recipe.model.attention;
  check_range(file, "attention.lambda_softmax", attention.lambda_softmax, 0, 1e4);
  check_range(file, "attention.lambda_lse", attention.lambda_lse, 1e-4, 1e4);
  check_one_of(file, "loss.types", loss.types, {"languages", "sources"});
  for (const auto& [language, weight] : loss.language_weights) {
    check_range(file, "loss.language_weights", weight, 1e-6, 1e6);
  }
  check_range(file, "loss.hardening", loss.hardening, 0, 1e6);
  check_one_of(file, "image.start", recipe.model.image.start, {"random", "directions"});
  if (recipe.model.image.start == "directions" &&
      (text.vectors != "pictures" || text.pca > 0 || text.whiten)) {
    throw InputError(file,
                     "image.start = directions with other word vectors than those of pictures",
                     "text.vectors = \"pictures\", as they are");
  }
  if (text.whiten && text.latents > 0 && text.own_words > 0 && text.own_dim < text.dim) {
    throw InputError(
        fmt::format("{}: text.whiten with text.own_dim = {} of {}", file, text.own_dim, text.dim),
        "all numbers: whitened vectors have no first components. Or text.whiten = false");
  }
  check_range(file, "text.latents", static_cast<double>(text.latents), 0, 1 << 24);
  check_range(file, "text.own_words", static_cast<double>(text.own_words), 0, 1e9);
  check_range(file, "text.own_dim", static_cast<double>(text.own_dim), 1, 65536);
  check_range(file, "text.explore", text.explore, 0, 1);
  check_range(file, "text.explore_among", static_cast<double>(text.explore_among), 1, kMost);
  check_range(file, "loss.masked", loss.masked, 0, 1e6);
  check_range(file, "loss.mask_share", loss.mask_share, 0, 1);
  check_range(file, "loss.masked_ranking", loss.masked_ranking, 0, 1e6);
  check_range(file, "text.hidden", static_cast<double>(text.hidden), 1, 65536);
  check_range(file, "text.dropout", text.dropout, 0, 0.99);
  check_range(file, "text.word_range", text.word_range, 0, 1e6);
  check_one_of(file, "image.branch", image.branch, {"shared", "per-language"});
  check_range(file, "image.hidden", static_cast<double>(image.hidden), 0, 65536);
  check_range(file, "image.dropout", image.dropout, 0, 0.99);
  check_range(file, "image.input_dropout", image.input_dropout, 0, 0.99);
  check_range(file, "loss.margin", loss.margin, 0, 1e6);
  check_range(file, "loss.hardest", static_cast<double>(loss.hardest), 1, kMost);
  check_range(file, "loss.temperature", loss.temperature, 1e-6, 1e6);
  check_one_of(file, "loss.neighbours", loss.neighbours, {"own", "any", "pairs", "both-ways"});
  check_one_of(file, "loss.neighbourhood_layers", loss.neighbourhood_layers,
               {"joint", "mule", "both"});
  check_one_of(file, "pretrain.loss", recipe.model.pretrain.loss, {"infonce", "all", "recipe"});
  check_range(file, "pretrain.epochs", static_cast<double>(recipe.model.pretrain.epochs), 0, 1e6);
  check_range(file, "loss.warmup_epochs", static_cast<double>(loss.warmup_epochs), 0, 1e6);
  const std::vector<std::string> sources = source_names();
  for (const std::string& source : recipe.data.sources) {
    check_one_of(file, "data.sources", source, sources);
  }
  for (const auto& [language, list] : recipe.data.sources_by_language) {
    for (const std::string& source : list) {
      check_one_of(file, "data.sources_by_language", source, sources);
    }
  }
  check_range(file, "data.images", recipe.data.images, 1e-6, 1);
  check_range(file, "data.captions", static_cast<double>(recipe.data.captions), 0, 1e6);
  check_one_of(file, "data.overlap", recipe.data.overlap, {"all", "none"});
  check_one_of(file, "sample.by", sample.by, {"images", "captions"});
  check_range(file, "sample.caption_pairs", sample.caption_pairs, 0, 1);
  if (sample.caption_pairs > 0 && (sample.by != "captions" || text.vocabulary != "shared")) {
    throw InputError(
        fmt::format("{}: sample.caption_pairs with other batches than those of pairs", file),
        "sample.by = \"captions\" and text.vocabulary = \"shared\"");
  }
  check_one_of(file, "sample.replacement", sample.replacement, {"fill", "none"});
  check_range(file, "sample.images_per_batch", static_cast<double>(sample.images_per_batch), 2,
              kMost);
  check_range(file, "sample.captions_per_image", static_cast<double>(sample.captions_per_image), 1,
              1000);
  const TranslationSettings& translation = recipe.translation;
  check_range(file, "translation.merges", static_cast<double>(translation.merges), 0, kMost);
  check_range(file, "translation.embedding", static_cast<double>(translation.embedding), 1, 65536);
  check_range(file, "translation.hidden", static_cast<double>(translation.hidden), 2, 65536);
  if (translation.hidden % 2 != 0) {
    throw InputError(fmt::format("{}: translation.hidden = {}", file, translation.hidden),
                     "an even number: each direction of the encoder has half of it");
  }
  check_range(file, "translation.decoder_layers", static_cast<double>(translation.decoder_layers),
              1, 2);
  check_range(file, "translation.dropout", translation.dropout, 0, 0.99);
  check_range(file, "translation.smoothing", translation.smoothing, 0, 0.99);
  check_range(file, "translation.batch_words", static_cast<double>(translation.batch_words), 1,
              kMost);
  check_range(file, "translation.max_words", static_cast<double>(translation.max_words), 1, 10000);
  check_one_of(file, "train.optimiser", train.optimiser, {"adamw", "adam"});
  check_one_of(file, "train.schedule", train.schedule,
               {"constant", "exponential", "step", "cosine"});
  check_range(file, "train.epochs", static_cast<double>(train.epochs), 1, 1e6);
  check_range(file, "train.learning_rate", train.learning_rate, 0, 1e3);
  check_range(file, "train.weight_decay", train.weight_decay, 0, 1e3);
  check_range(file, "train.decay", train.decay, 0, 1);
  check_range(file, "train.step_epochs", static_cast<double>(train.step_epochs), 1, 1e6);
  check_range(file, "train.clip_norm", train.clip_norm, 0, 1e9);
  check_range(file, "train.average", train.average, 0, 0.999999);
  check_range(file, "train.log_every", static_cast<double>(train.log_every), 1, 1e9);
  check_range(file, "train.seed", static_cast<double>(train.seed), 0, 9e15);
  check_is_used(file, recipe);
}

}  // namespace hinny
