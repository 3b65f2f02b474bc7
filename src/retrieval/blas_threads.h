// How many threads the BLAS library works with: one rule for all who ask it for products.
//
// OpenBLAS knows one number for the whole process. Outside parallel_blocks it is thread_count();
// inside, where every thread has work already, and for whoever shares a product out by
// parallel_blocks, it is 1. docs/engine.md says who uses which threads.
#pragma once

namespace hinny {

// While one lives, in whichever thread, BLAS runs each product on the thread that asks.
class OneBlasThreadEach {
 public:
  OneBlasThreadEach();
  ~OneBlasThreadEach();
  OneBlasThreadEach(const OneBlasThreadEach&) = delete;
  OneBlasThreadEach& operator=(const OneBlasThreadEach&) = delete;
};

// BLAS takes thread_count() threads from now on, or from when the last OneBlasThreadEach is gone.
// Throws std::bad_alloc where there is no memory for those that it has to start.
void give_blas_its_threads();

}  // namespace hinny
