#include "nn/product.h"

#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/nn/init.h>

#include "kernels/gemm.h"

namespace hinny {
namespace {

// c [m, n] = a b, where `a_columns` and `b_columns` say that a lies as [k, m], b as [n, k].
template <typename T>
torch::Tensor multiply(const torch::Tensor& a, bool a_columns, const torch::Tensor& b,
                       bool b_columns) {
  const std::int64_t m = a.size(a_columns ? 1 : 0), k = a.size(a_columns ? 0 : 1);
  const std::int64_t n = b.size(b_columns ? 0 : 1);
  torch::Tensor c = at::empty(
      {m, n}, a.options().requires_grad(false).dtype(c10::CppTypeToScalarType<Sum<T>>::value));
  gemm<T>({m, n, k}, {static_cast<const T*>(a.data_ptr()), a.size(1), a_columns},
          {static_cast<const T*>(b.data_ptr()), b.size(1), b_columns}, c.data_ptr<Sum<T>>(), n);
  return c;
}

torch::Tensor multiply_any(const torch::Tensor& a, bool a_columns, const torch::Tensor& b,
                           bool b_columns) {
  if (a.scalar_type() == at::kDouble) return multiply<double>(a, a_columns, b, b_columns);
  if (a.scalar_type() == at::kBFloat16) return multiply<BFloat16>(a, a_columns, b, b_columns);
  return multiply<float>(a, a_columns, b, b_columns);
}

// As products read it; doubles stay what they are.
torch::Tensor narrowed(const torch::Tensor& tensor, Precision precision) {
  const bool narrow = precision == Precision::bf16 && tensor.scalar_type() == at::kFloat;
  return (narrow ? tensor.to(at::kBFloat16) : tensor).contiguous();
}

class RowProducts : public torch::autograd::Function<RowProducts> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& a,
                               const torch::Tensor& b, Precision precision) {
    const torch::Tensor read_a = narrowed(a, precision), read_b = narrowed(b, precision);
    context->save_for_backward({read_a, read_b});
    context->saved_data["precision"] = static_cast<std::int64_t>(precision);
    return multiply_any(read_a, false, read_b, true);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    const torch::Tensor gradient = narrowed(gradients[0], precision);
    torch::autograd::variable_list result(3);
    if (context->needs_input_grad(0)) result[0] = multiply_any(gradient, false, saved[1], false);
    if (context->needs_input_grad(1)) result[1] = multiply_any(gradient, true, saved[0], false);
    return result;
  }
};

}  // namespace

torch::Tensor row_products(const torch::Tensor& a, const torch::Tensor& b, Precision precision) {
  if (!a.is_cpu()) {
    return at::matmul(narrowed(a, precision), narrowed(b, precision).transpose(0, 1))
        .to(a.scalar_type());
  }
  return RowProducts::apply(a.contiguous(), b.contiguous(), precision);
}

Linear::Linear(std::int64_t input, std::int64_t output, Precision precision)
    : precision_(precision) {
  weight_ = register_parameter("weight", at::zeros({output, input}));
  bias_ = register_parameter("bias", at::zeros({output}));
  torch::nn::init::xavier_uniform_(weight_);
}

torch::Tensor Linear::forward(const torch::Tensor& x) {
  const bool learns = at::GradMode::is_enabled();
  return row_products(x, weight_, learns ? precision_ : Precision::fp32) + bias_;
}

}  // namespace hinny
