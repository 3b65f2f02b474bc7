#include "retrieval/dot_kernels.h"

#include "retrieval/dot_kernels_each.h"

namespace hinny {

const DotKernels& dot_kernels(Processor processor) {
#if defined(__x86_64__)
  if (processor == Processor::avx512) return avx512_kernels();
  if (processor == Processor::avxvnni) return avxvnni_kernels();
  if (processor == Processor::avx2) return avx2_kernels();
#elif defined(__aarch64__)
  if (processor == Processor::dotprod) return dotprod_kernels();
#endif
  static_cast<void>(processor);
  return portable_kernels();
}

const DotKernels& dot_kernels() {
  static const DotKernels& chosen = dot_kernels(this_processor());
  return chosen;
}

}  // namespace hinny
