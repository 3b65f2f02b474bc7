// Dot products for one query at a time, on one thread. Compiled for several kinds of processor;
// the right one is chosen when the program starts, so a portable build is a fast one.
#pragma once

#include <cstddef>

namespace hinny {

// out[r] = w[r] . x for `w` [rows, columns] in C order. A row's result depends on its numbers
// alone, not on where it stands, so equal rows give equal results.
void multiply(const float* w, std::size_t rows, std::size_t columns, const float* x, float* out);

// out[t, r] = w[r] . x[t] for `x` [times, columns] and `out` [times, rows]. Each row of `w` is
// read from memory once, whatever `times` is.
void multiply_each(const float* w, std::size_t rows, std::size_t columns, const float* x,
                   std::size_t times, float* out);

}  // namespace hinny
