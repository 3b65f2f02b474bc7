// What a library of matrix products has to offer. Used by gemm.cc alone.
#pragma once

#include <memory>

#include "kernels/gemm.h"

namespace hinny {

enum class Number { bf16, fp32, fp64 };

// Operands without their type: the backends treat all types alike.
struct Product {
  Number number = Number::fp32;
  GemmSize size;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  std::int64_t a_stride = 0, b_stride = 0, c_stride = 0;
  bool a_transposed = false, b_transposed = false, accumulate = false;
};

class PackedOperand {
 public:
  virtual ~PackedOperand() = default;
  // product.b is the packed operand; the rest as in GemmBackend::multiply.
  virtual void multiply(const Product& product) const = 0;
};

class GemmBackend {
 public:
  virtual ~GemmBackend() = default;
  virtual std::string name() const = 0;
  // Whether its products of BFloat16 are clearly faster than of float on this processor.
  virtual bool fast_bfloat16() const = 0;
  // On the calling thread. Sizes are at least 1.
  virtual void multiply(const Product& product) const = 0;
  // Copies product.b; null when the backend would gain nothing.
  virtual std::unique_ptr<PackedOperand> pack(const Product& product) const = 0;
};

// Null when the processor lacks what oneDNN's fast products need.
std::unique_ptr<GemmBackend> make_onednn_backend();
std::unique_ptr<GemmBackend> make_blas_backend();

}  // namespace hinny
