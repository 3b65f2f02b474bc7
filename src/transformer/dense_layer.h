// A layer of weights and biases, whichever way its products are made.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "tensors/weights.h"

namespace hinny {

class DenseLayer {
 public:
  virtual ~DenseLayer() = default;
  virtual std::size_t outputs() const = 0;
  // out [rows, outputs()] = x [rows, inputs] w^T + bias. Safe to call from several threads; runs on
  // the calling thread alone.
  virtual void apply(const float* x, std::size_t rows, float* out) const = 0;
};

// PREFIX.weight [outputs, inputs] and PREFIX.bias, whose shapes have been checked.
using MakeDenseLayer =
    std::function<std::unique_ptr<DenseLayer>(const Weights&, const std::string& prefix)>;

// Of weights in panels (tensors/panels.h), PREFIX.weight [panels, inputs, 16] in F32, BF16, or I8
// with PREFIX.weight.scale [outputs]: as they lie in the file, which stays mapped and must outlive
// it. For few rows at a time, without a library of products.
std::unique_ptr<DenseLayer> panel_layer(const Weights& weights, const std::string& prefix);
// Throws InputError naming the tensor that is not such.
void check_panels(const Weights& weights, const std::string& prefix, std::size_t outputs,
                  std::size_t inputs);

}  // namespace hinny
