// A trained model -> a smaller copy of it, for asking only.
#pragma once

#include <filesystem>

#include "encoder/model.h"
#include "tensors/export_weights.h"

namespace hinny {

// Writes config.json, model.safetensors and vocabulary.tsv into `folder`, which must be there: the
// tensors that the configuration names and no other. Matrices are stored as asked for; with int8,
// each row of a matrix gets its own scale, and the image branch stays in bfloat16 (it is read
// seldom, and features vary more in size than words do). Biases and statistics stay in float32.
// Throws InputError when a number is not finite. Takes as much memory as the result. A pretrained
// model is copied as it is.
void export_model(const Model& model, WeightType type, const std::filesystem::path& folder);

// The same files as they are.
void copy_model(const Model& model, const std::filesystem::path& folder);

}  // namespace hinny
