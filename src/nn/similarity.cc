#include "nn/similarity.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "nn/product.h"

namespace hinny {
namespace {

constexpr std::int64_t kNumbersAtOnce = 1 << 20;  // of max(0, a - b): 4 MB, which caches hold

// Rows of `a` at once, so that a piece of the differences stays small.
std::int64_t piece_rows(const torch::Tensor& b) {
  return std::max<std::int64_t>(1, kNumbersAtOnce / std::max<std::int64_t>(1, b.numel()));
}

torch::Tensor violation(const torch::Tensor& a, const torch::Tensor& b) {
  return at::relu(a.unsqueeze(1) - b.unsqueeze(0));  // [a, b, dim]
}

// By pieces, computed again on the way back: the differences of a batch would be gigabytes.
struct OrderFunction : torch::autograd::Function<OrderFunction> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& a,
                               const torch::Tensor& b) {
    context->save_for_backward({a, b});
    std::vector<torch::Tensor> pieces;
    for (const torch::Tensor& part : a.split(piece_rows(b))) {
      pieces.push_back(violation(part, b).square_().sum(2).neg_());
    }
    return at::cat(pieces);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &a = saved[0], &b = saved[1];
    const auto parts = a.split(piece_rows(b));
    const auto outer = gradients[0].split(piece_rows(b));
    std::vector<torch::Tensor> to_a;
    torch::Tensor to_b = at::zeros_like(b);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const torch::Tensor piece = violation(parts[i], b).mul_(2 * outer[i].unsqueeze(2));
      to_a.push_back(piece.sum(1).neg_());
      to_b += piece.sum(0);
    }
    return {at::cat(to_a), to_b};
  }
};

}  // namespace

torch::Tensor order_similarity(const torch::Tensor& a, const torch::Tensor& b) {
  if (a.size(0) == 0) return at::empty({0, b.size(0)}, a.options());
  return OrderFunction::apply(a, b);
}

torch::Tensor similarity(const torch::Tensor& a, const torch::Tensor& b, Distance distance,
                         Precision precision) {
  if (distance == Distance::order) return order_similarity(a, b);
  torch::Tensor cosine = row_products(a, b, precision);
  if (distance == Distance::cosine) return cosine;
  return -(2.0 - 2.0 * cosine).clamp_min(0).add(1e-4).sqrt();
}

}  // namespace hinny
