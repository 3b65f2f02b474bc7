#include "base/processor.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace hinny {
namespace {

// The most that may be used.
Processor most_used() {
  const char* given = std::getenv("HINNY_PROCESSOR");
  const std::string_view wish = given == nullptr ? "" : given;
  return wish == "portable"  ? Processor::portable
         : wish == "avx2"    ? Processor::avx2
         : wish == "avxvnni" ? Processor::avxvnni
                             : Processor::avx512;
}

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

Processor this_processor() {
  static const Processor chosen = [] {
    const std::vector<Processor> all = processors();
    return *std::prev(std::ranges::upper_bound(all, most_used()));
  }();
  return chosen;
}

std::size_t register_bytes() {
  static const std::size_t bytes = []() -> std::size_t {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    const Processor most = most_used();
    if (most >= Processor::avx512 && __builtin_cpu_supports("x86-64-v4")) return 64;
    if (most >= Processor::avx2 && __builtin_cpu_supports("x86-64-v3")) return 32;
#endif
    return 16;
  }();
  return bytes;
}

}  // namespace hinny
