// The kernels of each kind of processor. Their files are compiled with that processor's flags
// (CMakeLists.txt), so they use nothing from the standard library that other files use as well: the
// linker might keep their copy of it.
#pragma once

#include "retrieval/dot_kernels.h"

namespace hinny {

const DotKernels& portable_kernels();
const DotKernels& avx2_kernels();
const DotKernels& avxvnni_kernels();
const DotKernels& avx512_kernels();
const DotKernels& dotprod_kernels();

}  // namespace hinny
