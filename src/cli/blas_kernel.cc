#include "cli/blas_kernel.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace hinny {

Simd simd_of_cpu() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return Simd::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Simd::avx2;
  if (__builtin_cpu_supports("avx")) return Simd::avx;
#endif
  return Simd::sse;
}

Simd simd_of_kernel(const std::string& kernel) {
  const auto among = [&](const auto& names) {
    return std::ranges::find(names, kernel) != names.end();
  };
  if (among(std::array{"Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Atom", "Opteron",
                       "Opteron_SSE3", "Barcelona", "Bobcat", "Nano"})) {
    return Simd::sse;
  }
  if (among(std::array{"Sandybridge", "Bulldozer", "Piledriver", "Steamroller"})) return Simd::avx;
  if (among(std::array{"Haswell", "Zen", "Excavator"})) return Simd::avx2;
  return Simd::avx512;  // SkylakeX, Cooperlake, SapphireRapids, and whatever comes after them
}

std::string better_kernel([[maybe_unused]] const std::string& kernel) {
#if defined(__x86_64__)
  const Simd cpu = simd_of_cpu();
  if (simd_of_kernel(kernel) < cpu && cpu >= Simd::avx2) {
    return cpu == Simd::avx512 ? "SKYLAKEX" : "HASWELL";
  }
#endif
  return {};
}

void prefer_better_kernel() {
  // hinny itself needs no BLAS. Once loaded it stays: its threads do not end before the program.
  void* const blas = ::dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (blas == nullptr) return;
  using Function = char* (*)();
  const auto name = reinterpret_cast<Function>(::dlsym(blas, "openblas_get_corename"));
  if (name == nullptr) return;
  const std::string better = better_kernel(name());
  if (!better.empty()) ::setenv("OPENBLAS_CORETYPE", better.c_str(), /*overwrite=*/0);
}

}  // namespace hinny
