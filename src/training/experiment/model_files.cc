#include "training/experiment/model_files.h"

#include <ATen/ops/tensor.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "recipe/recipe_text.h"
#include "training/experiment/parameter_counts.h"

namespace hinny {
namespace {

constexpr const char* kMean = "features.mean";
constexpr const char* kScale = "features.scale";

FeatureSpec feature_spec_of(const Experiment& experiment) {
  const ImageSettings& image = experiment.recipe.model.image;
  FeatureSpec spec;
  spec.names = experiment.features.names();
  for (const Features::Part& part : experiment.features.parts()) {
    spec.parts.push_back({part.name, static_cast<std::size_t>(part.dim)});
  }
  spec.square_root = image.square_root;
  spec.standardise = image.standardise;
  if (experiment.system->reads_regions()) {
    spec.regions = static_cast<std::size_t>(experiment.features.regions());
  }
  return spec;
}

ModelConfig config_of(const Experiment& experiment) {
  const Recipe& recipe = experiment.recipe;
  ModelConfig config = experiment.system->describe();
  config.system = name_of(recipe.model.system);
  if (config.late) config.late->weight = recipe.rerank.weight;
  config.languages = recipe.languages;
  config.features = feature_spec_of(experiment);
  config.given_tokens = recipe.model.text.given;
  config.stems = recipe.model.text.stems;
  config.max_words = static_cast<int>(recipe.model.text.max_words);
  const ParameterCounts counts = count_parameters(*experiment.system);
  config.train_parameters = counts.train;
  config.search_parameters = counts.search;
  config.parameter_parts = counts.parts;
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
  write_model_config(run / kConfigFile, config_of(experiment));
  write_vocabularies(run / kVocabularyFile, experiment.vocabularies);
}

void write_model_weights(const std::filesystem::path& run, const Experiment& experiment) {
  // How many parameters there are may have been settled since the training began.
  write_model_config(run / kConfigFile, config_of(experiment));
  NamedTensors tensors = model_tensors_of(*experiment.system);
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
