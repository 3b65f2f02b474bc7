#include "nn/batch_norm.h"

#include <ATen/ops/stack.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/utils.h>

namespace hinny {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Sums over all rows, which are few numbers: in double precision.
torch::Tensor total(const torch::Tensor& values, ProcessGroup& group) {
  torch::Tensor sum = values.to(at::kDouble).sum(0).contiguous();
  group.sum(sum);
  return sum;
}

struct Normalise : torch::autograd::Function<Normalise> {
  // x minus its mean, by its standard deviation [units], whose inverse is `scale`.
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& mean, const torch::Tensor& scale,
                               std::int64_t rows, ProcessGroup* group) {
    torch::Tensor y = (x - mean) * scale;
    context->save_for_backward({y, scale});
    context->saved_data["rows"] = rows;
    store_group(context, group);
    return y;
  }
  // Mean and scale are of x too: what comes back loses its mean and what lies along y.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &y = saved[0], &scale = saved[1], &g = gradients[0];
    ProcessGroup& group = stored_group(context);
    const auto rows = static_cast<double>(context->saved_data["rows"].toInt());
    torch::Tensor sums = at::stack({g.to(at::kDouble).sum(0), (g * y).to(at::kDouble).sum(0)});
    group.sum(sums);
    sums = (sums / rows).to(g.scalar_type());
    return {(g - sums[0] - y * sums[1]) * scale, {}, {}, {}, {}};
  }
};

// As at::batch_norm keeps them for evaluation.
void remember(torch::nn::BatchNorm1dImpl& norm, const torch::Tensor& mean,
              const torch::Tensor& variance, std::int64_t rows) {
  const double share = norm.options.momentum().value_or(0.1);
  const double unbiased = static_cast<double>(rows) / static_cast<double>(rows - 1);
  norm.running_mean.mul_(1 - share).add_(mean.to(norm.running_mean.scalar_type()), share);
  norm.running_var.mul_(1 - share).add_((variance * unbiased).to(norm.running_var.scalar_type()),
                                        share);
  norm.num_batches_tracked.add_(1);
}

}  // namespace

torch::Tensor normalised(torch::nn::BatchNorm1d& norm, const torch::Tensor& x, const Shard& shard) {
  if (shard.group == nullptr || !norm->is_training()) return norm->forward(x);
  const auto rows = static_cast<double>(shard.all);
  torch::Tensor mean, scale;
  {
    const torch::NoGradGuard no_gradient;
    const torch::Tensor average = total(x, *shard.group) / rows;
    mean = average.to(x.scalar_type());
    const torch::Tensor variance = total((x - mean).square(), *shard.group) / rows;
    scale = (variance + norm->options.eps()).rsqrt().to(x.scalar_type());
    remember(*norm, average, variance, shard.all);
  }
  return Normalise::apply(x, mean, scale, shard.all, shard.group) * norm->weight + norm->bias;
}

}  // namespace hinny
