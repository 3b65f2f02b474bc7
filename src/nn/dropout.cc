#include "nn/dropout.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "kernels/dropout.h"

namespace hinny {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <typename T>
void drop_numbers(const Dropout& dropout, std::int64_t first, const torch::Tensor& x,
                  const torch::Tensor& out) {
  drop<T>(dropout, static_cast<std::uint64_t>(first),
          {x.data_ptr<T>(), static_cast<std::size_t>(x.numel())}, out.data_ptr<T>());
}

// On the CPU.
struct Drop : torch::autograd::Function<Drop> {
  static torch::Tensor apply_mask(const torch::Tensor& x, double share, std::int64_t seed,
                                  std::int64_t first) {
    const torch::Tensor rows = x.contiguous();
    torch::Tensor out = at::empty_like(rows);
    const Dropout dropout{share, static_cast<std::uint64_t>(seed)};
    if (x.scalar_type() == at::kDouble) {
      drop_numbers<double>(dropout, first, rows, out);
    } else {
      drop_numbers<float>(dropout, first, rows, out);
    }
    return out;
  }
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, double share,
                               std::int64_t seed, std::int64_t first) {
    context->saved_data["share"] = share;
    context->saved_data["seed"] = seed;
    context->saved_data["first"] = first;
    return apply_mask(x, share, seed, first);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    if (!context->needs_input_grad(0)) return {{}, {}, {}, {}};
    auto& saved = context->saved_data;
    return {apply_mask(gradients[0], saved["share"].toDouble(), saved["seed"].toInt(),
                       saved["first"].toInt()),
            {},
            {},
            {}};
  }
};

}  // namespace

torch::Tensor dropped(const torch::Tensor& x, double share, const Shard& shard) {
  if (share <= 0 || x.numel() == 0) return x;
  if (x.is_cpu()) {
    const auto seed = at::empty({}, at::kLong).random_().item<std::int64_t>();
    return Drop::apply(x, share, seed, shard.first * (x.numel() / x.size(0)));
  }
  std::vector<std::int64_t> sizes = x.sizes().vec();
  sizes.at(0) = shard.all;
  const torch::Tensor kept = at::empty(sizes, x.options()).bernoulli_(1 - share);
  return x * shard.of(kept).div(1 - share);
}

}  // namespace hinny
