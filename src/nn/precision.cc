#include "nn/precision.h"

#include "base/error.h"

namespace hinny {

Precision precision_of(const std::string& name) {
  if (name == "fp32") return Precision::fp32;
  if (name == "bf16") return Precision::bf16;
  throw InputError("no precision '" + name + "'", "fp32 or bf16");
}

}  // namespace hinny
