#include "base/processor.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

namespace hinny {
namespace {

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}
// By the processor's own word: clang 14 has no name for it.
bool has_avxvnni() {
  constexpr unsigned kLeaf = 7, kSubleaf = 1, kBit = 1U << 4U;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx2() && __get_cpuid_count(kLeaf, kSubleaf, &a, &b, &c, &d) != 0 && (a & kBit) != 0;
}
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vnni") != 0;
}
#elif defined(__aarch64__)
bool has_dotprod() { return (::getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }
#endif

// The kinds of this architecture.
struct Kind {
  Processor processor;
  bool (*found)();
};
constexpr std::array kKinds = {
    Kind{Processor::portable, [] { return true; }},
#if defined(__x86_64__)
    Kind{Processor::avx2, has_avx2},
    Kind{Processor::avxvnni, has_avxvnni},
    Kind{Processor::avx512, has_avx512},
#elif defined(__aarch64__)
    Kind{Processor::dotprod, has_dotprod},
#endif
};

// The most that may be used.
Processor most_used() {
  const char* given = std::getenv("HINNY_PROCESSOR");
  const auto* wish = std::ranges::find_if(kKinds, [&](const Kind& kind) {
    return given != nullptr && name_of(kind.processor) == given;
  });
  return wish == kKinds.end() ? kKinds.back().processor : wish->processor;
}

}  // namespace

std::vector<Processor> processors() {
  std::vector<Processor> all;
  for (const Kind& kind : kKinds) {
    if (kind.found()) all.push_back(kind.processor);
  }
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
