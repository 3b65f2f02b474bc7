// What `hinny doctor` looks at. Each check reads the machine, changes nothing and never throws.
#pragma once

#include <string>
#include <vector>

namespace hinny {

enum class Mark { kOk, kWarn, kFail };

struct Check {
  Mark mark = Mark::kOk;
  std::string name;  // one word: "blas"
  std::string what;  // what was found and, unless ok, what to do about it
};

// The widest vector instructions, in the order of OpenBLAS's kernels.
enum class Simd { kSse, kAvx, kAvx2, kAvx512 };

// What the processor can do, and what an OpenBLAS kernel ("Haswell", "SkylakeX") makes use of.
Simd simd_of_cpu();
Simd simd_of_kernel(const std::string& kernel);

Check check_cpu();
Check check_memory();
Check check_disk();
Check check_blas();
Check check_threads();
Check check_programs();

}  // namespace hinny
