// How far a training is.
#pragma once

#include <cstdint>

namespace hinny {

// What is done of the training after pretraining.
struct Done {
  double share = 0;          // of the epochs that were planned at first, at most 1
  std::int64_t batches = 0;  // each an update
};

}  // namespace hinny
