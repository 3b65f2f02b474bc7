#include "retrieval/dot_products.h"

#include <cblas.h>

#include <optional>

#include "base/phases.h"
#include "base/threads.h"
#include "retrieval/blas_memory.h"
#include "retrieval/blas_threads.h"

namespace hinny {

void dot_products(const float* a, std::size_t rows, const float* b, std::size_t columns,
                  std::size_t dim, float* out) {
  if (rows == 0 || columns == 0) return;
  const InPhase phase(Phase::products);
  std::optional<OneBlasThreadEach> guard;
  if (in_parallel_blocks()) {
    guard.emplace();
  } else {
    give_blas_its_threads();
  }
  const auto size = [](std::size_t value) { return static_cast<blasint>(value); };
  const BlasMemory memory;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, size(rows), size(columns), size(dim), 1.0F,
              a, size(dim), b, size(dim), 0.0F, out, size(columns));
}

}  // namespace hinny
