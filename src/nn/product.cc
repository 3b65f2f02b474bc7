#include "nn/product.h"

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
  torch::Tensor c = at::empty({m, n}, a.options().requires_grad(false));
  gemm<T>({m, n, k}, {a.data_ptr<T>(), a.size(1), a_columns},
          {b.data_ptr<T>(), b.size(1), b_columns}, c.data_ptr<T>(), n);
  return c;
}

torch::Tensor multiply_any(const torch::Tensor& a, bool a_columns, const torch::Tensor& b,
                           bool b_columns) {
  return a.scalar_type() == at::kDouble ? multiply<double>(a, a_columns, b, b_columns)
                                        : multiply<float>(a, a_columns, b, b_columns);
}

class RowProducts : public torch::autograd::Function<RowProducts> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& a,
                               const torch::Tensor& b) {
    context->save_for_backward({a, b});
    return multiply_any(a, false, b, true);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor gradient = gradients[0].contiguous();
    torch::autograd::variable_list result(2);
    if (context->needs_input_grad(0)) result[0] = multiply_any(gradient, false, saved[1], false);
    if (context->needs_input_grad(1)) result[1] = multiply_any(gradient, true, saved[0], false);
    return result;
  }
};

}  // namespace

torch::Tensor row_products(const torch::Tensor& a, const torch::Tensor& b) {
  if (!a.is_cpu()) return at::matmul(a, b.transpose(0, 1));
  return RowProducts::apply(a.contiguous(), b.contiguous());
}

Linear::Linear(std::int64_t input, std::int64_t output) {
  weight_ = register_parameter("weight", at::zeros({output, input}));
  bias_ = register_parameter("bias", at::zeros({output}));
  torch::nn::init::xavier_uniform_(weight_);
}

torch::Tensor Linear::forward(const torch::Tensor& x) { return row_products(x, weight_) + bias_; }

}  // namespace hinny
