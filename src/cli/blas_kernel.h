// Which of its kernels OpenBLAS runs, and what the processor could do. OpenBLAS goes by the
// processor's model: one that is younger than the library gets the slowest kernel.
#pragma once

#include <string>

namespace hinny {

// The widest vector instructions, in the order of OpenBLAS's kernels.
enum class Simd { sse, avx, avx2, avx512 };

// What the processor can do, and what an OpenBLAS kernel ("Haswell", "SkylakeX") makes use of.
Simd simd_of_cpu();
Simd simd_of_kernel(const std::string& kernel);

// The value of OPENBLAS_CORETYPE that makes up for a kernel below what the processor can do; empty
// when there is nothing to make up for.
std::string better_kernel(const std::string& kernel);

// Sets that value for the programs that this one starts, unless the variable is set already:
// OpenBLAS chooses when it is loaded. Nothing without OpenBLAS in this process.
void prefer_better_kernel();

}  // namespace hinny
