#include "translation/translation_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/run_files.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"
#include "training/model_files.h"

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

}  // namespace

const Direction& TranslationModel::direction(const std::string& from, const std::string& to) const {
  for (const Direction& direction : directions) {
    if (direction == Direction{from, to}) return direction;
  }
  throw InputError(fmt::format("no translation from '{}' to '{}' in this model", from, to),
                   fmt::format("{}", fmt::join(names_of(directions), ", ")));
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
  const NetOptions& net = model.net->options();
  std::int64_t parameters = 0;
  for (const torch::Tensor& tensor : model.net->parameters()) parameters += tensor.numel();
  const nlohmann::json config = {{"format", 1},
                                 {"system", name_of(model.recipe.model.system)},
                                 {"languages", model.recipe.languages},
                                 {"directions", names_of(model.directions)},
                                 {"net",
                                  {{"vocabulary", net.vocabulary},
                                   {"embedding", net.embedding},
                                   {"hidden", net.hidden},
                                   {"decoder_layers", net.decoder_layers},
                                   {"region_size", net.region_size}}},
                                 {"parameters", {{"train", parameters}, {"search", 0}}}};
  write_file(run / kRecipeFile, as_toml(model.recipe));
  write_file(run / kConfigFile, config.dump(2) + "\n");
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
  const fs::path file = run / kConfigFile;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;
  const auto config = nlohmann::json::parse(read_file(file, kMost), nullptr, false);
  std::int64_t region_size = 0, vocabulary = 0;
  try {
    region_size = config.at("net").at("region_size");
    vocabulary = config.at("net").at("vocabulary");
  } catch (const nlohmann::json::exception&) {
    throw InputError(file, "no net in it", "config.json of a translation model");
  }
  if (vocabulary != model.text.vocabulary_size() || region_size < 0 || region_size > 65536) {
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
