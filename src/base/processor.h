// Kinds of x86-64 processors that some loops are written for, each with what the one before has.
#pragma once

namespace hinny {

// avxvnni: AVX2 with VNNI; avx512: with VNNI.
enum class Processor { portable, avx2, avxvnni, avx512 };

// The most that may be used of this one: HINNY_PROCESSOR (portable, avx2, avxvnni), else all.
Processor most_used();

}  // namespace hinny
