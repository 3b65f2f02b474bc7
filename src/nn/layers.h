// Small pieces that several branches share.
#pragma once

#include <torch/types.h>

#include <span>

namespace hinny {

// A contiguous float tensor's numbers on the CPU, valid as long as it.
std::span<float> numbers_of(const torch::Tensor& tensor);

// Rows to unit length, x / max(|x|, 1e-12).
torch::Tensor unit_rows(const torch::Tensor& rows);

}  // namespace hinny
