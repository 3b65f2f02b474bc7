// What this processor makes of matrix products.
#pragma once

#include "kernels/number.h"

namespace hinny {

// GFLOP/s of one thread: the best of a few packed products of the size that a training step is made
// of. A fifth of a second.
template <typename T>
double gemm_gflops();

// Whether products of BFloat16 are clearly faster than of float: with two units for them a core
// they are twice as fast, with one half as fast, and without instructions slower still.
bool bfloat16_pays();

}  // namespace hinny
