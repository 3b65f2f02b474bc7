// Keys that do not go together.
#include <fmt/format.h>

#include <algorithm>

#include "recipe/check_recipe.h"

namespace hinny {
namespace {

void check_words(const Recipe& recipe) {
  const TextSettings& text = recipe.model.text;
  const bool shared = text.vocabulary == Sharing::shared;
  if (kSharedWords.contains(recipe.model.system) && text.mule_dim == 0) {
    refuse(
        recipe, {"system", "text.mule_dim"},
        fmt::format("system {} without a space that languages share", name_of(recipe.model.system)),
        "text.mule_dim, for example 512");
  }
  if (text.mule_dim > 0 && shared) {
    refuse(recipe, {"text.mule_dim", "text.vocabulary"}, "text.mule_dim with one vocabulary",
           "text.vocabulary = per-language");
  }
  if (text.latents > 0 && text.mule_dim == 0) {
    refuse(recipe, {"text.latents", "text.mule_dim"}, "text.latents without text.mule_dim",
           "512, say");
  }
  if (!text.dictionary.empty() && (text.mule_dim == 0 || text.latents > 0)) {
    refuse(recipe, {"text.dictionary", "text.mule_dim", "text.latents"},
           fmt::format("text.dictionary = '{}'", text.dictionary),
           "none; or text.mule_dim above 0, without text.latents");
  }
  if (text.characters > 0 && (!shared || !text.vectors_from(VectorSource::random) ||
                              text.mule_dim > 0 || text.encoder == EncoderKind::given)) {
    refuse(recipe, {"text.characters", "text.vocabulary", "text.vectors", "text.encoder"},
           fmt::format("text.characters = {}", text.characters),
           "0; or text.vocabulary = shared, text.vectors = random, text.mule_dim = 0");
  }
}

// Numbers that a sentence's vector has without a layer behind it.
std::int64_t sentence_size(const TextSettings& text) {
  if (text.encoder == EncoderKind::gru || text.encoder == EncoderKind::lstm) {
    return text.hidden * (text.bidirectional ? 2 : 1);
  }
  return text.mule_dim > 0 ? text.mule_dim : text.dim;
}

void check_sentences(const Recipe& recipe) {
  const SystemOptions& model = recipe.model;
  const TextSettings& text = model.text;
  const bool given = text.encoder == EncoderKind::given;
  if (kLate.contains(model.system)) {
    if (text.encoder == EncoderKind::mean && !text.project && text.dim == model.dim) return;
    refuse(recipe, {"text.encoder", "text.project", "text.dim", "dim", "system"},
           "system late whose words are not compared as they are",
           "text.encoder = mean, text.project = false, text.dim = dim");
  }
  if (kRegions.contains(model.system)) {
    if (text.hidden == model.dim && !given && text.encoder != EncoderKind::mean) return;
    refuse(
        recipe, {"text.encoder", "text.hidden", "dim", "system"},
        fmt::format("system {} whose words have another size than regions", name_of(model.system)),
        "text.encoder = gru or lstm, text.hidden = dim");
  }
  if (given == text.sentences.empty() ||
      (given && (text.mule_dim > 0 || !text.vectors_from(VectorSource::random)))) {
    refuse(recipe, {"text.encoder", "text.sentences", "text.mule_dim", "text.vectors"},
           fmt::format("text.encoder = '{}' with text.sentences = '{}'", name_of(text.encoder),
                       text.sentences),
           "\"given\" with a name, without text.mule_dim and text.vectors; or neither");
  }
  if (!text.project && sentence_size(text) != model.dim) {
    refuse(recipe,
           {"text.project", "dim", "text.hidden", "text.bidirectional", "text.encoder", "text.dim",
            "text.mule_dim"},
           "without text.project the encoder's size must equal dim",
           fmt::format("dim = {}", sentence_size(text)));
  }
}

void check_image_start(const Recipe& recipe) {
  const TextSettings& text = recipe.model.text;
  const ImageSettings& image = recipe.model.image;
  if (image.start == ImageStart::random) return;
  if (!text.vectors_from(VectorSource::pictures) || text.pca > 0 || text.whiten) {
    refuse(recipe, {"image.start", "text.vectors", "text.pca", "text.whiten"},
           "image.start = directions with other word vectors than those of pictures",
           "text.vectors = \"pictures\", as they are");
  }
  const bool taught = kTaught.contains(recipe.model.system);  // the joint space is the teacher's
  const bool placed = text.project || kLate.contains(recipe.model.system);
  if (text.encoder != EncoderKind::mean || text.mule_dim > 0 || !placed ||
      (recipe.model.dim < text.dim && !taught)) {
    refuse(recipe,
           {"image.start", "text.encoder", "text.mule_dim", "text.project", "text.dim", "dim"},
           "image.start = directions with sentences that are no mean of their words in these "
           "directions",
           "text.encoder = mean, text.mule_dim = 0, text.project, and text.dim at most dim");
  }
  if (!taught && (image.hidden == 0 || !image.batch_norm)) {
    refuse(recipe, {"image.start", "image.hidden", "image.batch_norm"},
           "image.start = directions without a hidden layer for them",
           "image.hidden twice as large as text.dim, and image.batch_norm");
  }
}

void check_losses(const Recipe& recipe) {
  const LossSettings& loss = recipe.model.loss;
  if (loss.harder_negatives && loss.kind != LossKind::triplet) {
    refuse(recipe, {"loss.harder_negatives", "loss.kind"},
           fmt::format("loss.harder_negatives with loss.kind = {}", name_of(loss.kind)),
           "loss.kind = triplet, or loss.harder_negatives = false");
  }
}

void check_hubs(const Recipe& recipe) {
  if (recipe.hubs.size == 0 || recipe.model.loss.distance != Distance::order) return;
  refuse(recipe, {"hubs.size", "loss.distance"},
         fmt::format("hubs.size = {} with loss.distance = order", recipe.hubs.size),
         "0, or a distance that a dot product gives");
}

void check_batches(const Recipe& recipe) {
  const SampleSettings& sample = recipe.sample;
  if (sample.caption_pairs > 0 &&
      (sample.by != SampleBy::captions || recipe.model.text.vocabulary != Sharing::shared)) {
    refuse(recipe, {"sample.caption_pairs", "sample.by", "text.vocabulary"},
           "sample.caption_pairs with other batches than those of pairs",
           "sample.by = \"captions\" and text.vocabulary = \"shared\"");
  }
  if (!sample.groups.empty() && sample.by == SampleBy::captions) {
    refuse(recipe, {"sample.groups", "sample.by"},
           "sample.groups of languages for batches of one language", "sample.by = \"images\"");
  }
}

}  // namespace

void check_rules(const Recipe& recipe) {
  if (translates(recipe.model.system)) {
    const std::int64_t hidden = recipe.translation.hidden;
    if (hidden % 2 == 0) return;
    refuse(recipe, {"translation.hidden"}, fmt::format("translation.hidden = {}", hidden),
           "an even number: each direction of the encoder has half of it");
  }
  check_words(recipe);
  check_sentences(recipe);
  check_image_start(recipe);
  check_losses(recipe);
  check_hubs(recipe);
  check_batches(recipe);
}

}  // namespace hinny
