#include "retrieval/dot_kernels.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <algorithm>
#include <iterator>

#include "retrieval/dot_kernels_each.h"

namespace hinny {
namespace {

#ifdef __x86_64__
// By the processor's own word: clang 14 has no name for it.
bool has_avxvnni() {
  constexpr unsigned kLeaf = 7, kSubleaf = 1, kBit = 1U << 4U;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(kLeaf, kSubleaf, &a, &b, &c, &d) != 0 && (a & kBit) != 0;
}
#endif

}  // namespace

std::vector<Processor> processors() {
  std::vector<Processor> all = {Processor::portable};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    all.push_back(Processor::avx2);
    if (has_avxvnni()) all.push_back(Processor::avxvnni);
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vnni")) {
      all.push_back(Processor::avx512);
    }
  }
#endif
  return all;
}

const DotKernels& dot_kernels(Processor processor) {
#ifdef __x86_64__
  if (processor == Processor::avx512) return avx512_kernels();
  if (processor == Processor::avxvnni) return avxvnni_kernels();
  if (processor == Processor::avx2) return avx2_kernels();
#endif
  static_cast<void>(processor);
  return portable_kernels();
}

const DotKernels& dot_kernels() {
  static const DotKernels& chosen = [&]() -> const DotKernels& {
    const std::vector<Processor> all = processors();
    return dot_kernels(*std::prev(std::ranges::upper_bound(all, most_used())));
  }();
  return chosen;
}

}  // namespace hinny
