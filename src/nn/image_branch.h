// Image features -> the joint space.
#pragma once

#include <torch/nn/modules/batchnorm.h>

#include <memory>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "nn/product.h"
#include "nn/shards.h"

namespace hinny {

struct ImageBranchOptions {
  std::int64_t input = 0;   // size of an image's features
  std::int64_t hidden = 0;  // 0: one linear layer alone, as in VSE++
  std::int64_t output = 512;
  bool batch_norm = true;
  double dropout = 0.5;
  double input_dropout = 0.0;
  bool positive = false;                  // absolute values, for order embeddings
  Precision precision = Precision::fp32;  // what its products read
  bool given = false;  // features are vectors of the joint space: they become of unit length
};

// FC -> BatchNorm -> ReLU -> dropout -> FC -> L2 (EmbN, MULE), FC -> L2 (VSE++), or L2 alone.
class ImageBranch : public torch::nn::Module {
 public:
  // InputError for given features of another size than the output.
  explicit ImageBranch(const ImageBranchOptions& options);
  // [images, input] -> [images, output], rows of unit length; in shards (nn/shards.h).
  torch::Tensor forward(const torch::Tensor& features);
  // Before training: makes the output, but for hidden units that are left as they are, the
  // features' coordinates along `directions` [input, n], whose standard deviations are `spread`
  // [n]. The first 2 n hidden units are those coordinates and their negatives, of which ReLU lets
  // one pass. InputError for fewer hidden units or outputs, or no batch normalisation.
  void start_along(const torch::Tensor& directions, const torch::Tensor& spread);
  // `prefix` is this module's name in the model.
  std::vector<LayerSpec> describe(const std::string& prefix) const;

 private:
  torch::Tensor forward_shard(const torch::Tensor& features, const Shard& shard);

  ImageBranchOptions options_;
  std::shared_ptr<Linear> fc1_;
  torch::nn::BatchNorm1d norm_{nullptr};
  std::shared_ptr<Linear> fc2_;
};

}  // namespace hinny
