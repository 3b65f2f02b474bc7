// Batch normalisation of rows that several processes share.
#pragma once

#include <torch/nn/modules/batchnorm.h>

#include "nn/shards.h"

namespace hinny {

// norm(x) as one process has it that holds all rows: mean and variance are theirs.
// x [shard.count, units]
torch::Tensor normalised(torch::nn::BatchNorm1d& norm, const torch::Tensor& x, const Shard& shard);

}  // namespace hinny
