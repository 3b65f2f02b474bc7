// One copy of a loop per kind of processor, chosen when the program runs (processor.h): a portable
// build is a fast one. Elsewhere than on x86-64, and with clang, there is one copy: on arm64, whose
// registers all have 16 bytes, of NEON's instructions.
#pragma once

#include "base/processor.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HINNY_X86_PROCESSORS
#endif

namespace hinny {

#ifdef HINNY_X86_PROCESSORS
template <typename Operation, typename... Arguments>
__attribute__((target("arch=x86-64-v4"))) auto at_512_bits(Arguments... arguments) {
  return Operation::template run<64>(arguments...);
}
template <typename Operation, typename... Arguments>
__attribute__((target("arch=x86-64-v3"))) auto at_256_bits(Arguments... arguments) {
  return Operation::template run<32>(arguments...);
}
#endif
template <typename Operation, typename... Arguments>
auto at_best_bits(Arguments... arguments) {
#ifdef HINNY_X86_PROCESSORS
  const std::size_t bytes = register_bytes();
  if (bytes == 64) return at_512_bits<Operation, Arguments...>(arguments...);
  if (bytes == 32) return at_256_bits<Operation, Arguments...>(arguments...);
#endif
  return Operation::template run<16>(arguments...);
}

// For code that is written for registers of so many bytes: Operation::run<kBytes>(arguments...),
// always_inline, with the width of this processor.
template <typename Operation, typename... Arguments>
void at_register_width(Arguments&... arguments) {
  at_best_bits<Operation, Arguments&...>(arguments...);
}

// For loops, which the compiler makes as wide as registers are: loop(arguments...). `loop` is a
// function that is always_inline, and known in this file alone.
template <auto loop>
struct Loop {
  template <int kBytes, typename... Arguments>
  [[gnu::always_inline]] static auto run(Arguments... arguments) {
    return loop(arguments...);
  }
};
template <auto loop, typename... Arguments>
auto on_this_processor(Arguments... arguments) {
  return at_best_bits<Loop<loop>, Arguments...>(arguments...);
}

}  // namespace hinny
