// Numbers left out at random, so that none is relied on (Srivastava et al. 2014).
#pragma once

#include "nn/shards.h"

namespace hinny {

// x [shard.count, ...] with each number zeroed with probability `share` and the others scaled to
// make up for it. The mask follows from libtorch's random numbers and a number's place among all
// rows, whatever the number of processes.
torch::Tensor dropped(const torch::Tensor& x, double share, const Shard& shard);

}  // namespace hinny
