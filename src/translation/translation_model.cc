#include "translation/translation_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/run_files.h"
#include "model/translation_config.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"
#include "training/experiment/model_files.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// Before anything is made of the recipe's sizes: they are the weights', which a file holds.
void check_sizes(const NamedTensors& tensors, const TranslationSettings& settings,
                 std::int64_t vocabulary, std::int64_t region_size, const fs::path& file) {
  std::map<std::string, std::vector<std::int64_t>> expected = {
      {"words", {vocabulary, settings.embedding}},
      {"decoder.weight_hh_l0", {4 * settings.hidden, settings.hidden}}};
  if (settings.decoder_layers > 1) {
    expected["second.weight_hh_l0"] = {4 * settings.embedding, settings.embedding};
  }
  for (const auto& [name, sizes] : expected) {
    const auto found = tensors.find(name);
    if (found == tensors.end() || found->second.sizes() != at::IntArrayRef(sizes)) {
      throw InputError(
          file, fmt::format("tensor '{}' is not there, or of another size", name),
          fmt::format("{}, as recipe.toml and config.json say", fmt::join(sizes, " x ")));
    }
  }
  const auto region = tensors.find("region.weight");
  const std::int64_t size = region == tensors.end() ? 0 : region->second.size(-1);
  if (size != region_size) {
    throw InputError(file, fmt::format("regions of {} numbers", size),
                     fmt::format("{}, as config.json says", region_size));
  }
}

TranslationSizes sizes_of(const NetOptions& net) {
  const auto size = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  return {size(net.vocabulary), size(net.embedding), size(net.hidden), size(net.decoder_layers),
          size(net.region_size)};
}

}  // namespace

const Direction& TranslationModel::direction(const std::string& from, const std::string& to) const {
  return find_direction(directions, from, to);
}

std::shared_ptr<TranslationNet> make_translation_net(const Recipe& recipe, std::int64_t vocabulary,
                                                     std::int64_t region_size) {
  const TranslationSettings& settings = recipe.translation;
  NetOptions options;
  options.vocabulary = vocabulary;
  options.embedding = settings.embedding;
  options.hidden = settings.hidden;
  options.decoder_layers = settings.decoder_layers;
  options.region_size = region_size;
  options.dropout = settings.dropout;
  options.smoothing = settings.smoothing;
  options.precision = recipe.model.precision;
  return std::make_shared<TranslationNet>(options);
}

void write_translation_setup(const fs::path& run, const TranslationModel& model) {
  std::int64_t parameters = 0;
  for (const torch::Tensor& tensor : model.net->parameters()) parameters += tensor.numel();
  TranslationConfig config;
  config.system = name_of(model.recipe.model.system);
  config.languages = model.recipe.languages;
  config.directions = names_of(model.directions);
  config.net = sizes_of(model.net->options());
  config.train_parameters = parameters;
  write_file(run / kRecipeFile, as_toml(model.recipe));
  write_translation_config(run / kConfigFile, config);
  model.text.write(run);
}

void write_translation_weights(const fs::path& run, const TranslationModel& model) {
  NamedTensors tensors = tensors_of(*model.net);
  add_transform(model.transform, tensors);
  write_tensors(run / kWeightsFile, tensors);
}

TranslationModel open_translation(const fs::path& run, torch::Device device) {
  TranslationModel model;
  model.recipe = read_run_recipe(run / kRecipeFile);
  model.device = device;
  if (!translates(model.recipe.model.system)) {
    throw InputError(run / kRecipeFile,
                     fmt::format("a model of system '{}'", name_of(model.recipe.model.system)),
                     "one that translates: nmt or mmt");
  }
  model.directions = directions_of(model.recipe.translation.directions, model.recipe.languages);
  model.text = SubwordText::read(run);
  const TranslationSizes sizes = read_translation_config(run / kConfigFile).net;
  const auto region_size = static_cast<std::int64_t>(sizes.region_size);
  const auto vocabulary = static_cast<std::int64_t>(sizes.vocabulary);
  if (vocabulary != model.text.vocabulary_size()) {
    throw InputError(run / kVocabularyFile,
                     fmt::format("{} subwords", model.text.vocabulary_size()),
                     fmt::format("{}, as config.json says", vocabulary));
  }
  const TensorFile weights = read_tensors(run / kWeightsFile);
  check_sizes(weights.tensors, model.recipe.translation, vocabulary, region_size,
              run / kWeightsFile);
  model.net = make_translation_net(model.recipe, vocabulary, region_size);
  load_tensors(*model.net, weights.tensors, "", run / kWeightsFile);
  if (region_size > 0) {
    model.transform = transform_of(model.recipe.model.image, weights.tensors, run / kWeightsFile);
  }
  model.net->to(device);
  model.net->eval();
  return model;
}

}  // namespace hinny
