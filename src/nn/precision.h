// What matrix products read; sums and weights stay in float32.
#pragma once

#include <string>

namespace hinny {

enum class Precision { fp32, bf16 };
// "fp32" or "bf16"; throws InputError otherwise.
Precision precision_of(const std::string& name);

}  // namespace hinny
