#include "nn/image_branch.h"

#include <ATen/ops/relu.h>
#include <fmt/format.h>
#include <torch/utils.h>

#include "base/error.h"
#include "nn/batch_norm.h"
#include "nn/dropout.h"
#include "nn/layers.h"

namespace hinny {

ImageBranch::ImageBranch(const ImageBranchOptions& options) : options_(options) {
  if (options.given && options.input != options.output) {
    throw InputError(fmt::format("pictures' vectors of {} numbers", options.input),
                     fmt::format("{}, as the teacher's have", options.output));
  }
  if (options.given) return;
  if (options.hidden > 0) {
    fc1_ = register_module(
        "fc1", std::make_shared<Linear>(options.input, options.hidden, options.precision));
    if (options.batch_norm) {
      norm_ = register_module("norm", torch::nn::BatchNorm1d(options.hidden));
    }
  }
  const std::int64_t last = options.hidden > 0 ? options.hidden : options.input;
  fc2_ = register_module("fc2", std::make_shared<Linear>(last, options.output, options.precision));
}

torch::Tensor ImageBranch::forward(const torch::Tensor& features) {
  if (options_.given) return unit_rows(features);
  return in_shards(features.size(0),
                   [&](const Shard& shard) { return forward_shard(shard.of(features), shard); });
}

torch::Tensor ImageBranch::forward_shard(const torch::Tensor& features, const Shard& shard) {
  const bool train = is_training();
  torch::Tensor x = dropped(features, train ? options_.input_dropout : 0, shard);
  if (fc1_) {
    x = fc1_->forward(x);
    if (norm_) x = normalised(norm_, x, shard);
    x = dropped(at::relu(x), train ? options_.dropout : 0, shard);
  }
  x = unit_rows(fc2_->forward(x));
  return options_.positive ? x.abs() : x;
}

void ImageBranch::start_along(const torch::Tensor& directions, const torch::Tensor& spread) {
  const std::int64_t n = directions.size(1);
  if (!fc1_ || !norm_ || options_.hidden < 2 * n || options_.output < n ||
      options_.input != directions.size(0)) {
    throw InputError(
        fmt::format("image.start = directions with {} directions of {} numbers, {} hidden units "
                    "and {} outputs",
                    n, directions.size(0), options_.hidden, options_.output),
        "twice as many hidden units, as many outputs, image.batch_norm and no regions");
  }
  constexpr double kShare = 0.3;  // the root of the mean square weight of a coordinate
  const torch::NoGradGuard no_gradient;
  torch::Tensor in = fc1_->weight(), out = fc2_->weight();
  in.narrow(0, 0, n).copy_(directions.t());
  in.narrow(0, n, n).copy_(-directions.t());
  // Batch normalisation gives every unit the same spread.
  const torch::Tensor weight = spread * (kShare / spread.square().mean().sqrt().clamp_min(1e-12));
  out.narrow(1, 0, 2 * n).zero_();
  out.narrow(0, 0, n).narrow(1, 0, n).diagonal().copy_(weight);
  out.narrow(0, 0, n).narrow(1, n, n).diagonal().copy_(-weight);
}

std::vector<LayerSpec> ImageBranch::describe(const std::string& prefix) const {
  if (options_.given) return {{LayerKind::l2}};
  std::vector<LayerSpec> layers;
  if (fc1_) {
    layers.push_back({LayerKind::linear, prefix + ".fc1"});
    if (norm_) layers.push_back({LayerKind::batch_norm, prefix + ".norm"});
    layers.push_back({LayerKind::relu});
  }
  layers.push_back({LayerKind::linear, prefix + ".fc2"});
  layers.push_back({LayerKind::l2});
  if (options_.positive) layers.push_back({LayerKind::abs});
  return layers;
}

}  // namespace hinny
