// The kernels of each kind of processor. Their files are compiled with that processor's flags
// (CMakeLists.txt), so they use nothing from the standard library that other files use as well: the
// linker might keep their copy of it.
#pragma once

#include "retrieval/kernels.h"

namespace hinny {

const Kernels& portable_kernels();
const Kernels& avx2_kernels();
const Kernels& avxvnni_kernels();
const Kernels& avx512_kernels();

}  // namespace hinny
