// Which kind of processor this is, for code that is written for several of them. All of it
// chooses by what is said here.
#pragma once

#include <cstddef>
#include <vector>

#include "base/choice.h"

namespace hinny {

// Kinds that kernels are written for, each with what the one before has. portable: x86-64 or arm64
// (with NEON), nothing more. Of x86-64, avx2: with FMA; avxvnni: AVX2 with VNNI; avx512: with VNNI.
// Of arm64, dotprod: with the dot products of bytes.
enum class Processor { portable, dotprod, avx2, avxvnni, avx512 };
template <>
struct Choices<Processor> {
  static constexpr Choice<Processor> all[] = {{Processor::portable, "portable"},
                                              {Processor::dotprod, "dotprod"},
                                              {Processor::avx2, "avx2"},
                                              {Processor::avxvnni, "avxvnni"},
                                              {Processor::avx512, "avx512"}};
};

// Those that this processor is, in that order: it runs what is written for any of them.
std::vector<Processor> processors();

// The last of them, or the lesser one that HINNY_PROCESSOR names; names of what it is not are
// ignored.
Processor this_processor();

// How many bytes the registers have that loops are compiled for (every_processor.h): 64
// (x86-64-v4), 32 (x86-64-v3) or 16; not more than those of the kind that HINNY_PROCESSOR names.
std::size_t register_bytes();

}  // namespace hinny
