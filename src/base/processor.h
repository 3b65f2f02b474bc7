// Which kind of x86-64 processor this is, for code that is written for several of them. All of it
// chooses by what is said here.
#pragma once

#include <cstddef>
#include <vector>

namespace hinny {

// Kinds that kernels are written for, each with what the one before has. avxvnni: AVX2 with VNNI;
// avx512: with VNNI.
enum class Processor { portable, avx2, avxvnni, avx512 };

// Those that this processor is, in that order: it runs what is written for any of them.
std::vector<Processor> processors();

// The last of them, or the lesser one that HINNY_PROCESSOR names (portable, avx2, avxvnni).
Processor this_processor();

// How many bytes the registers have that loops are compiled for (every_processor.h): 64
// (x86-64-v4), 32 (x86-64-v3) or 16; not more than those of the kind that HINNY_PROCESSOR names.
std::size_t register_bytes();

}  // namespace hinny
