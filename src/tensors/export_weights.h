// Tensors of a trained model -> a smaller file of them.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tensors/weights.h"

namespace hinny {

enum class WeightType { float32, bfloat16, int8 };

// "fp32", "bf16" or "int8". Throws InputError for another name.
WeightType weight_type(const std::string& name);

// Writes these tensors, matrices as asked for: with int8 each row gets its own scale. What is no
// matrix stays in float32. Throws InputError when a number is not finite. Takes as much memory as
// the result.
void export_weights(const Weights& weights, const std::map<std::string, WeightType>& tensors,
                    const std::filesystem::path& file);

}  // namespace hinny
