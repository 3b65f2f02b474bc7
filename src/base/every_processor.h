// One copy of a function per kind of processor, chosen when the program starts: a portable build is
// a fast one. Left out where the choosing code itself breaks a tool (ThreadSanitizer) or is not
// understood (clang).
#pragma once

#include "base/processor.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define HINNY_X86_PROCESSORS
#endif

// For loops, which the compiler makes as wide as registers are: 512 bits, 256, or any x86-64's.
#ifdef HINNY_X86_PROCESSORS
#define HINNY_EVERY_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HINNY_EVERY_PROCESSOR
#endif

namespace hinny {

// For code that is written for registers of so many bytes: Operation::run<kBytes>(arguments...),
// always_inline, with the width of this processor, or of the lesser one that HINNY_PROCESSOR names.
#ifdef HINNY_X86_PROCESSORS
template <typename Operation, typename... Arguments>
__attribute__((target("arch=x86-64-v4"))) void at_512_bits(Arguments&... arguments) {
  Operation::template run<64>(arguments...);
}
template <typename Operation, typename... Arguments>
__attribute__((target("arch=x86-64-v3"))) void at_256_bits(Arguments&... arguments) {
  Operation::template run<32>(arguments...);
}
#endif
template <typename Operation, typename... Arguments>
void at_register_width(Arguments&... arguments) {
#ifdef HINNY_X86_PROCESSORS
  const Processor most = most_used();
  if (most >= Processor::avx512 && __builtin_cpu_supports("x86-64-v4")) {
    return at_512_bits<Operation>(arguments...);
  }
  if (most >= Processor::avx2 && __builtin_cpu_supports("x86-64-v3")) {
    return at_256_bits<Operation>(arguments...);
  }
#endif
  Operation::template run<16>(arguments...);
}

}  // namespace hinny
