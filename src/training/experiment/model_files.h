// The model's part of a run folder: docs/formats/model.md.
#pragma once

#include <filesystem>

#include "base/run_files.h"
#include "training/experiment/experiment.h"
#include "training/experiment/tensor_file.h"

namespace hinny {

// recipe.toml, config.json and vocabulary.tsv: all that does not change during training.
void write_model_setup(const std::filesystem::path& run, const Experiment& experiment);
// model.safetensors: the system's weights as they are now, and the feature statistics.
void write_model_weights(const std::filesystem::path& run, const Experiment& experiment);

// The feature transform into a model's tensors, if it has statistics.
void add_transform(const FeatureTransform& transform, NamedTensors& tensors);
// The feature transform out of a model's tensors.
FeatureTransform transform_of(const ImageSettings& settings, const NamedTensors& tensors,
                              const std::filesystem::path& file);

}  // namespace hinny
