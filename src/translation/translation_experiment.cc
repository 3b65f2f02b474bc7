#include "translation/translation_experiment.h"

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "base/run_files.h"
#include "base/terminal_text.h"
#include "recipe/check_recipe.h"
#include "training/experiment/batch_builder.h"
#include "training/experiment/recipe_languages.h"
#include "training/experiment/select_captions.h"
#include "training/experiment/tensor_file.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Features> open_regions(const Dataset& dataset, const std::string& names) {
  if (names.empty()) {
    throw InputError("mmt without image features", "--features NAME, of image regions");
  }
  return std::make_unique<Features>(Features::open(dataset, names));
}

std::int64_t region_size(const Features& features) { return features.dim() / features.regions(); }

// A pair whose image has no features teaches a model that sees nothing.
void filter_by_features(SentencePairs& pairs, const Features* features) {
  if (features == nullptr) return;
  std::erase_if(pairs.pairs, [&](const SentencePair& pair) { return !features->has(pair.image); });
}

void pair_up(TranslationExperiment& e) {
  std::int64_t pairs = 0, unclear = 0;
  for (const Direction& direction : e.model.directions) {
    e.train.push_back(sentence_pairs(e.dataset, "train", direction));
    e.val.push_back(e.dataset.has_split("val") ? sentence_pairs(e.dataset, "val", direction)
                                               : SentencePairs{});
    filter_by_features(e.train.back(), e.features.get());
    filter_by_features(e.val.back(), e.features.get());
    if (e.train.back().pairs.empty()) {
      throw InputError(fmt::format("{}: no pairs of captions for {} in the train split",
                                   e.dataset.folder().string(), direction.name()),
                       "images with one caption in each language (and features, for mmt)");
    }
    pairs += static_cast<std::int64_t>(e.train.back().pairs.size());
    unclear += e.train.back().unclear;
  }
  print_line(stderr, "{} pairs of captions for training", pairs);
  if (unclear > 0) {
    print_line(stderr, "; {} images with several captions in a language are left out", unclear);
  }
  print_line(stderr, "\n");
  for (std::size_t d = 0; d < e.val.size(); ++d) {
    if (!e.val[d].pairs.empty()) continue;
    print_line(stderr, "note: nothing to validate {} on (pairs of captions in a split 'val')\n",
               e.model.directions[d].name());
  }
}

std::map<std::string, std::vector<std::string>> texts_of(const TranslationExperiment& e) {
  std::set<int> captions;
  for (const SentencePairs& pairs : e.train) {
    for (const SentencePair& pair : pairs.pairs) {
      captions.insert(pair.source);
      captions.insert(pair.target);
    }
  }
  std::map<std::string, std::vector<std::string>> texts;
  for (const int caption : captions) {
    const Caption& found = e.dataset.captions()[static_cast<std::size_t>(caption)];
    texts[e.dataset.languages()[static_cast<std::size_t>(found.language)]].push_back(found.text);
  }
  return texts;
}

std::vector<int> images_of(const TranslationExperiment& e) {
  std::set<int> images;
  for (const SentencePairs& pairs : e.train) {
    for (const SentencePair& pair : pairs.pairs) images.insert(pair.image);
  }
  return {images.begin(), images.end()};
}

// What the model takes from one that was trained on text alone.
void take_over(TranslationExperiment& e, const fs::path& from) {
  const TranslationModel text_only = open_translation(from, torch::Device(torch::kCPU));
  const TranslationSettings& its = text_only.recipe.translation;
  TranslationSettings& own = e.model.recipe.translation;
  own.merges = its.merges;
  own.embedding = its.embedding;
  own.hidden = its.hidden;
  own.decoder_layers = its.decoder_layers;
  for (const Direction& direction : e.model.directions) {
    text_only.direction(direction.from, direction.to);
  }
  e.model.text = SubwordText::read(from);
}

}  // namespace

torch::Tensor TranslationExperiment::regions(std::span<const int> images) const {
  return image_rows(*features, model.transform, images)
      .view(
          {static_cast<std::int64_t>(images.size()), features->regions(), region_size(*features)});
}

RegionsOf TranslationExperiment::regions_of(std::vector<int> images) const {
  if (!model.sees()) return {};
  return [this, images = std::move(images)](std::span<const std::size_t> sentences) {
    std::vector<int> some;
    for (const std::size_t i : sentences) some.push_back(images.at(i));
    return regions(some);
  };
}

std::unique_ptr<TranslationExperiment> new_translation(Recipe recipe, const fs::path& data,
                                                       const fs::path& from, torch::Device device) {
  check_recipe(recipe);
  Dataset dataset = Dataset::load(data, {.languages = recipe.languages, .own_codes = true});
  use_codes_of(dataset, recipe);
  recipe.languages = dataset.languages();
  dataset = select_captions(std::move(dataset), recipe.data,
                            static_cast<std::uint64_t>(recipe.train.seed));
  TranslationModel model;
  model.directions = directions_of(recipe.translation.directions, recipe.languages);
  if (!recipe.translation.directions.empty()) {
    recipe.translation.directions = names_of(model.directions);
  }
  model.recipe = std::move(recipe);
  model.device = device;
  auto e = std::make_unique<TranslationExperiment>(std::move(dataset), std::move(model));
  Recipe& own = e->model.recipe;
  if (own.model.system == SystemKind::mmt) {
    e->features = open_regions(e->dataset, own.model.image.features);
  }
  pair_up(*e);
  if (from.empty()) {
    e->model.text = SubwordText::learn(texts_of(*e), own.translation.merges);
  } else {
    take_over(*e, from);
  }
  if (e->features != nullptr) {
    own.model.image.features = e->features->names();
    e->model.transform = FeatureTransform::fit(
        *e->features, images_of(*e), {own.model.image.square_root, own.model.image.standardise});
  }
  torch::manual_seed(static_cast<std::uint64_t>(own.train.seed));
  e->model.net = make_translation_net(own, e->model.text.vocabulary_size(),
                                      e->features ? region_size(*e->features) : 0);
  if (!from.empty()) {
    load_tensors(*e->model.net, read_tensors(from / kWeightsFile).tensors, "", from / kWeightsFile,
                 "region");
  }
  e->model.net->to(device);
  return e;
}

std::unique_ptr<TranslationExperiment> open_translation_on(const fs::path& run,
                                                           const fs::path& data,
                                                           const std::string& features,
                                                           torch::Device device) {
  TranslationModel model = open_translation(run, device);
  if (!model.sees() && !features.empty()) {
    throw InputError(run, "--features for a model of text alone", "a model of system mmt");
  }
  auto e = std::make_unique<TranslationExperiment>(Dataset::load(data), std::move(model));
  if (e->model.sees()) {
    e->features = open_regions(e->dataset,
                               features.empty() ? e->model.recipe.model.image.features : features);
    if (region_size(*e->features) != e->model.net->options().region_size) {
      throw InputError(fmt::format("regions of {} numbers", region_size(*e->features)),
                       fmt::format("{}, as in training", e->model.net->options().region_size));
    }
  }
  return e;
}

}  // namespace hinny
