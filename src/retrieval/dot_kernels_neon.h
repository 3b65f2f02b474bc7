// The int8 kernels of arm64, the same source with instructions for dot products and without.
// Everything here is local to the file that includes it (dot_kernels_each.h).
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t kBytes = sizeof(int8x16_t);
constexpr std::size_t kTogether = 4;  // rows, whose sums fill a register

inline int32x4_t plus_products(int32x4_t sums, int8x16_t row, int8x16_t bytes) {
#ifdef __ARM_FEATURE_DOTPROD
  return vdotq_s32(sums, row, bytes);
#else  // 16 bits hold each product, but not the sum of two
  sums = vpadalq_s16(sums, vmull_s8(vget_low_s8(row), vget_low_s8(bytes)));
  return vpadalq_s16(sums, vmull_high_s8(row, bytes));
#endif
}

struct AllBytes {
  int8x16_t operator()(const std::int8_t* from) const { return vld1q_s8(from); }
};
// The last ones of a row or a vector, filled up with zeros.
struct FirstBytes {
  std::size_t count;
  int8x16_t operator()(const std::int8_t* from) const {
    std::int8_t bytes[kBytes] = {};
    __builtin_memcpy(bytes, from, count);
    return vld1q_s8(bytes);
  }
};

// Adds the products of the next bytes of kTogether rows with those of T vectors: each register that
// is loaded serves several times.
template <std::size_t T, typename Load>
[[gnu::always_inline]] inline void add_bytes(const std::int8_t* const* w, std::size_t columns,
                                             const std::int8_t* x, std::size_t place,
                                             const Load& load, int32x4_t (*sums)[kTogether]) {
  int8x16_t rows[kTogether];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kTogether; ++r) rows[r] = load(w[r] + place);
#pragma GCC unroll 4
  for (std::size_t t = 0; t < T; ++t) {
    const int8x16_t bytes = load(x + t * columns + place);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kTogether; ++r) {
      sums[t][r] = plus_products(sums[t][r], rows[r], bytes);
    }
  }
}

// kTogether rows, which stand at w[r], with T vectors: out[t], a number for each row.
template <std::size_t T>
[[gnu::always_inline]] inline void dot_bytes(const std::int8_t* const* w, std::size_t columns,
                                             const std::int8_t* x, int32x4_t* out) {
  int32x4_t sums[T][kTogether];
#pragma GCC unroll 4
  for (std::size_t t = 0; t < T; ++t) {
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kTogether; ++r) sums[t][r] = vdupq_n_s32(0);
  }
  std::size_t i = 0;
  for (; i + kBytes <= columns; i += kBytes) add_bytes<T>(w, columns, x, i, AllBytes{}, sums);
  if (i < columns) add_bytes<T>(w, columns, x, i, FirstBytes{columns - i}, sums);
#pragma GCC unroll 4
  for (std::size_t t = 0; t < T; ++t) {
    out[t] = vpaddq_s32(vpaddq_s32(sums[t][0], sums[t][1]), vpaddq_s32(sums[t][2], sums[t][3]));
  }
}

// The rows [first, end), which stand at row(r), with T vectors; out[t * rows + r].
template <std::size_t T, typename RowAt>
inline void rows_with(const RowAt& row, std::size_t rows, std::size_t columns, const std::int8_t* x,
                      std::size_t first, std::size_t end, std::int32_t* out) {
  for (std::size_t r = first; r < end; r += kTogether) {
    const std::size_t count = end - r < kTogether ? end - r : kTogether;
    const std::int8_t* w[kTogether];
    // Beyond the end the last row again: what it gives is not stored.
    for (std::size_t i = 0; i < kTogether; ++i) w[i] = row(r + (i < count ? i : count - 1));
    int32x4_t sums[T];
    dot_bytes<T>(w, columns, x, sums);
    for (std::size_t t = 0; t < T; ++t) {
      __builtin_memcpy(out + t * rows + r, &sums[t], count * sizeof(std::int32_t));
    }
  }
}

// Blocks of rows stay in a near cache while all vectors go by.
void multiply_i8(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                 std::size_t times, std::int32_t* out) {
  const auto row = [=](std::size_t r) { return w + r * columns; };
  const std::size_t block = times <= 4 ? rows : 64;
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t end = first + block < rows ? first + block : rows;
    std::size_t t = 0;
    for (; t + 4 <= times; t += 4) {
      rows_with<4>(row, rows, columns, x + t * columns, first, end, out + t * rows);
    }
    for (; t < times; ++t) {
      rows_with<1>(row, rows, columns, x + t * columns, first, end, out + t * rows);
    }
  }
}

void multiply_i8_apart(const std::int8_t* const* w, std::size_t rows, std::size_t columns,
                       const std::int8_t* x, std::int32_t* out) {
  rows_with<1>([=](std::size_t r) { return w[r]; }, rows, columns, x, 0, rows, out);
}

}  // namespace
