// All dot products between the rows of two matrices.
#pragma once

#include <cstddef>
#include <span>

namespace hinny {

// out[i, j] = a[i] . b[j] for `a` [rows, dim], `b` [columns, dim] and `out` [rows, columns], all
// in C order. Uses thread_count() threads of BLAS, inside parallel_blocks one (blas_threads.h).
// Sizes are not checked; each fits in an int.
void dot_products(const float* a, std::size_t rows, const float* b, std::size_t columns,
                  std::size_t dim, float* out);

// The same, each of its two rows alone: BLAS may round a product otherwise where its rows stand
// elsewhere or have other company. For what is kept. On AVX-512 and AVX2 about half as fast.
void dot_products_alone(const float* a, std::size_t rows, const float* b, std::size_t columns,
                        std::size_t dim, float* out);

}  // namespace hinny
