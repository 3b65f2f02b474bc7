// The memory of its own that the BLAS library takes for a product.
//
// OpenBLAS takes 128 MiB of address space for each of its threads and each product that runs at the
// same time, keeps it, and (0.3.21; newer ones end the process after ten times) asks for ever where
// there is none: under `ulimit -v`, or where memory may not be overcommitted. A limit on what is
// resident, as a container has, is none of these.
#pragma once

namespace hinny {

// Whoever is about to ask BLAS for a product holds one while it runs. Any thread.
class BlasMemory {
 public:
  // Throws std::bad_alloc where BLAS would find no memory.
  BlasMemory();
  ~BlasMemory();
  BlasMemory(const BlasMemory&) = delete;
  BlasMemory& operator=(const BlasMemory&) = delete;
};

// Throws std::bad_alloc where BLAS would find no memory for so many products at a time, or threads.
void expect_blas_memory(int products);

// For a library that asks BLAS by itself (libtorch): takes what the calling thread needs. Throws
// std::bad_alloc.
void take_blas_memory();

}  // namespace hinny
