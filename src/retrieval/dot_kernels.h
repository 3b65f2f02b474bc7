// Products of a matrix with a few vectors, on one thread: what a query and a scan consist of.
// Compiled for several kinds of processor; the best that the machine has is chosen when the program
// starts, so a portable build is a fast one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/processor.h"

namespace hinny {

// Each: out[t, r] = w[r] . x[t] for `w` [rows, columns], `x` [times, columns], `out` [times, rows].
// A result depends on the numbers of its row and its vector alone, not on where they stand nor on
// whether w is stored as f32 or bf16, so equal rows give equal results. Each row is read from
// memory once, whatever `times` is. Nothing need be aligned.
struct DotKernels {
  void (*f32)(const float* w, std::size_t rows, std::size_t columns, const float* x,
              std::size_t times, float* out);
  // `w` holds bfloat16.
  void (*bf16)(const std::byte* w, std::size_t rows, std::size_t columns, const float* x,
               std::size_t times, float* out);
  // Exact on every processor. At most kMostIntegerColumns columns.
  void (*i8)(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
             std::size_t times, std::int32_t* out);
  // The same for one vector and rows that lie apart: out[r] = w[r] . x, each w[r] [columns].
  void (*i8_apart)(const std::int8_t* const* w, std::size_t rows, std::size_t columns,
                   const std::int8_t* x, std::int32_t* out);
  // out[t, r] = w[r] . x[t] for `w` in codes of 1, 2 or 4 `bits`, a row `bytes` long (a multiple of
  // 8), and `x` [times, bytes * 8 / bits]. Bits [p * bits, (p + 1) * bits) of byte b are the code u
  // of column p * bytes + b, and stand for 2 u - (2^bits - 1). Exact on every processor; columns as
  // above.
  void (*codes)(const std::uint8_t* w, std::size_t rows, std::size_t bytes, int bits,
                const std::int8_t* x, std::size_t times, std::int32_t* out);
};
constexpr std::size_t kMostIntegerColumns = 32768;  // more could overflow the sums

// For this machine, or the lesser one that HINNY_PROCESSOR names.
const DotKernels& dot_kernels();

// For tests: one of processors().
const DotKernels& dot_kernels(Processor processor);

}  // namespace hinny
