// The same as last_states (recurrent_function.h) by libtorch's own nets: cuDNN on a GPU.
#pragma once

#include "nn/recurrent_function.h"

namespace hinny {

// `run.packing` has one shard. On any device; the words and weights lie on one. cuDNN has no GRU
// whose reset gate comes before the product: InputError.
torch::Tensor last_states_by_torch(const torch::Tensor& words, const RecurrentWeights& weights,
                                   const RecurrentRun& run);

// The state at each word instead: [tokens, hidden], captions end to end, each in its own order.
torch::Tensor all_states_by_torch(const torch::Tensor& words, const RecurrentWeights& weights,
                                  const RecurrentRun& run);

}  // namespace hinny
