#ifdef __ARM_FEATURE_DOTPROD
#include "retrieval/dot_kernels_codes.h"
#include "retrieval/dot_kernels_each.h"
#include "retrieval/dot_kernels_floats.h"
#include "retrieval/dot_kernels_neon.h"

namespace hinny {

const DotKernels& dotprod_kernels() {
  static constexpr DotKernels all = {multiply_f32, multiply_bf16, multiply_i8, multiply_i8_apart,
                                     multiply_codes};
  return all;
}

}  // namespace hinny
#endif
