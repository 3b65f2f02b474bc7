// A weight matrix as a pretrained text tower keeps it: sixteen outputs beside each other, so that
// products with a few vectors need no sums across a register, whatever the numbers are stored as.
#pragma once

#include <cstddef>
#include <span>

#include "base/safetensors.h"

namespace hinny {

constexpr std::size_t kPanelOutputs = 16;
constexpr std::size_t panels_of(std::size_t outputs) {
  return (outputs + kPanelOutputs - 1) / kPanelOutputs;
}

// Does not own its numbers: [panels, inputs, 16], the weight of input i for output 16 p + o at
// [p, i, o]; zeros beyond the last output.
struct Panels {
  TensorType type = TensorType::float32;  // or bfloat16, or int8
  const std::byte* data = nullptr;
  std::size_t inputs = 0, outputs = 0;
  std::span<const float> scales;  // int8: output o stands for scales[o] times its numbers
};

// out[t, o] = sum over i of w[i, o] x[t, i] for `x` [times, inputs] and `out` [times, outputs], on
// the calling thread. A result depends on the numbers of its output and its vector alone. Weights
// are read from memory once, if 16 inputs' worth of floats fit the cache.
void multiply(const Panels& w, const float* x, std::size_t times, float* out);

}  // namespace hinny
