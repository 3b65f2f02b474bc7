// Matrix products and linear layers through kernels/gemm.h.
#pragma once

#include <torch/nn/module.h>

#include "recipe/choices.h"

namespace hinny {

// a [m, k] x b [n, k], each row of one with each row of the other -> [m, n]; differentiable. On
// the CPU by gemm, whose speed does not hang on the BLAS that libtorch found; elsewhere by
// libtorch.
torch::Tensor row_products(const torch::Tensor& a, const torch::Tensor& b,
                           Precision precision = Precision::fp32);

// y = x W^T + b, as torch::nn::Linear; Glorot-uniform weight, zero bias (what EmbN, MULE and VSE++
// start from). `precision` holds where gradients are wanted: what a trained model encodes is what
// others compute from its file, in fp32.
class Linear : public torch::nn::Module {
 public:
  Linear(std::int64_t input, std::int64_t output, Precision precision = Precision::fp32);
  torch::Tensor forward(const torch::Tensor& x);  // [rows, input] -> [rows, output]
  const torch::Tensor& weight() const { return weight_; }

 private:
  torch::Tensor weight_;  // [output, input]
  torch::Tensor bias_;    // [output]
  Precision precision_;
};

}  // namespace hinny
