#ifdef __AVXVNNI__
#include "retrieval/kernels_bytes.h"
#include "retrieval/kernels_each.h"
#include "retrieval/kernels_floats.h"

namespace hinny {

const Kernels& avxvnni_kernels() {
  static constexpr Kernels all = {multiply_f32, multiply_bf16, multiply_i8, multiply_i8_apart};
  return all;
}

}  // namespace hinny
#endif
