#include "training/model_files.h"

#include <ATen/ops/tensor.h>

#include "base/error.h"
#include "base/files.h"
#include "recipe/recipe_text.h"

namespace hinny {
namespace {

constexpr const char* kMean = "features.mean";
constexpr const char* kScale = "features.scale";

nlohmann::json config_of(const Experiment& experiment) {
  const Recipe& recipe = experiment.recipe;
  nlohmann::json config = experiment.system->describe();
  config["format"] = 1;
  config["system"] = name_of(recipe.model.system);
  config["languages"] = recipe.languages;
  nlohmann::json parts = nlohmann::json::array();
  for (const Features::Part& part : experiment.features.parts()) {
    parts.push_back({{"name", part.name}, {"dim", part.dim}});
  }
  config["features"] = {{"names", experiment.features.names()},
                        {"parts", parts},
                        {"square_root", recipe.model.image.square_root},
                        {"standardise", recipe.model.image.standardise}};
  if (experiment.system->reads_regions()) {
    config["features"]["regions"] = experiment.features.regions();
  }
  config["tokenizer"] = {{"given", recipe.model.text.given},
                         {"max_words", recipe.model.text.max_words}};
  const ParameterCounts counts = count_parameters(*experiment.system);
  config["parameters"] = {
      {"train", counts.train}, {"search", counts.search}, {"parts", counts.parts}};
  return config;
}

std::vector<float> numbers_of(const NamedTensors& tensors, const char* name,
                              const std::filesystem::path& file) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) {
    throw InputError(file, std::string("no tensor '") + name + "'", "the features' statistics");
  }
  const auto* data = found->second.data_ptr<float>();
  return {data, data + found->second.numel()};
}

}  // namespace

void write_model_setup(const std::filesystem::path& run, const Experiment& experiment) {
  write_file(run / kRecipeFile, as_toml(experiment.recipe));
  write_file(run / kConfigFile, config_of(experiment).dump(2) + "\n");
  write_vocabularies(run / kVocabularyFile, experiment.vocabularies);
}

void write_model_weights(const std::filesystem::path& run, const Experiment& experiment) {
  // How many parameters there are may have been settled since the training began.
  write_file(run / kConfigFile, config_of(experiment).dump(2) + "\n");
  NamedTensors tensors = tensors_of(*experiment.system);
  std::erase_if(tensors,
                [](const auto& item) { return only_for_training(item.first, item.second); });
  add_transform(experiment.transform, tensors);
  write_tensors(run / kWeightsFile, tensors);
}

void add_transform(const FeatureTransform& transform, NamedTensors& tensors) {
  if (transform.mean().empty()) return;
  tensors[kMean] = at::tensor(transform.mean());
  tensors[kScale] = at::tensor(transform.scale());
}

FeatureTransform transform_of(const ImageSettings& settings, const NamedTensors& tensors,
                              const std::filesystem::path& file) {
  const FeatureTransformOptions options{settings.square_root, settings.standardise};
  if (!settings.standardise) return {options, {}, {}};
  return {options, numbers_of(tensors, kMean, file), numbers_of(tensors, kScale, file)};
}

}  // namespace hinny
