// A trained model -> a smaller copy of it, for asking only.
#pragma once

#include <filesystem>
#include <string>

#include "encoder/model.h"

namespace hinny {

enum class WeightType { float32, bfloat16, int8 };

// "fp32", "bf16" or "int8". Throws InputError for another name.
WeightType weight_type(const std::string& name);

// Writes config.json, model.safetensors and vocabulary.tsv into `folder`, which must be there: the
// tensors that the configuration names and no other. Matrices are stored as asked for; with int8,
// each row of a matrix gets its own scale, and the image branch stays in bfloat16 (it is read
// seldom, and features vary more in size than words do). Biases and statistics stay in float32.
// Throws InputError when a number is not finite. Takes as much memory as the result.
void export_model(const Model& model, WeightType type, const std::filesystem::path& folder);

}  // namespace hinny
