// What this processor makes of matrix products.
#pragma once

#include "kernels/number.h"

namespace hinny {

// GFLOP/s of one thread: the best of a few packed products of the size that a training step is made
// of. A fifth of a second.
template <typename T>
double gemm_gflops();

}  // namespace hinny
