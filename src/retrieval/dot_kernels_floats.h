// The float kernels, the same source for every processor: sixteen partial sums lie in one, two or
// four registers. Everything here is local to the file that includes it (dot_kernels_each.h).
#pragma once

#ifdef __aarch64__
#include <arm_neon.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kRows = 4;  // at once, so that one sum need not wait for another
// Numbers in a register: GCC keeps wider vectors in memory. And vectors at once, where there are
// registers for it: what is loaded then serves several times.
#if defined(__AVX512F__)
constexpr std::size_t kWidth = 16, kVectors = 4;
#elif defined(__AVX__)
constexpr std::size_t kWidth = 8, kVectors = 1;
#else
constexpr std::size_t kWidth = 4, kVectors = 1;
#endif
constexpr std::size_t kParts = kLanes / kWidth;

using Floats [[gnu::vector_size(kWidth * 4), gnu::aligned(1), gnu::may_alias]] = float;
using Words [[gnu::vector_size(kWidth * 4)]] = std::uint32_t;
using Halves [[gnu::vector_size(kWidth * 2), gnu::aligned(1), gnu::may_alias]] = std::uint16_t;

// How `w` is stored.
struct Float32 {
  static constexpr std::size_t kBytes = 4;
  static void load(const std::byte* w, Floats& out) { out = *reinterpret_cast<const Floats*>(w); }
};
struct BFloat16 {
  static constexpr std::size_t kBytes = 2;
  static void load(const std::byte* w, Floats& out) {
#ifdef __aarch64__  // for which GCC converts them one by one
    uint16x4_t halves;
    std::memcpy(&halves, w, sizeof halves);
    const uint32x4_t words = vshll_n_u16(halves, 16);
    std::memcpy(&out, &words, sizeof out);
#else
    const Halves halves = *reinterpret_cast<const Halves*>(w);
    const Words words = __builtin_convertvector(halves, Words) << 16U;
    out = reinterpret_cast<const Floats&>(words);
#endif
  }
};

template <std::size_t R, std::size_t T>
using Sums = Floats[R][T][kParts];

// Adds the products of kLanes numbers of R rows with those of T vectors; the next row, and vector,
// is `columns` further on.
template <typename Stored, std::size_t R, std::size_t T>
[[gnu::always_inline]] inline void add_products(const std::byte* w, const float* x,
                                                std::size_t columns, Sums<R, T>& sums) {
#pragma GCC unroll 4
  for (std::size_t p = 0; p < kParts; ++p) {
    Floats parts[T];
#pragma GCC unroll 4
    for (std::size_t t = 0; t < T; ++t) {
      parts[t] = *reinterpret_cast<const Floats*>(x + t * columns + p * kWidth);
    }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < R; ++r) {
      Floats row;
      Stored::load(w + (r * columns + p * kWidth) * Stored::kBytes, row);
#pragma GCC unroll 4
      for (std::size_t t = 0; t < T; ++t) sums[r][t][p] += row * parts[t];
    }
  }
}

// The last numbers of each, filled up with zeros. One by one they might be rounded otherwise here
// than there: whether a product and a sum are fused is the compiler's choice.
template <typename Stored, std::size_t R, std::size_t T>
inline void add_rest(const std::byte* w, const float* x, std::size_t columns, std::size_t rest,
                     Sums<R, T>& sums) {
  std::byte rows[R * kLanes * Stored::kBytes] = {};
  float vectors[T * kLanes] = {};
  for (std::size_t r = 0; r < R; ++r) {
    std::memcpy(rows + r * kLanes * Stored::kBytes, w + r * columns * Stored::kBytes,
                rest * Stored::kBytes);
  }
  for (std::size_t t = 0; t < T; ++t) {
    std::memcpy(vectors + t * kLanes, x + t * columns, rest * sizeof(float));
  }
  add_products<Stored, R, T>(rows, vectors, kLanes, sums);
}

// R rows with T vectors at once. The order of additions within a row is the same for every R, T and
// way to store it.
template <typename Stored, std::size_t R, std::size_t T>
[[gnu::always_inline]] inline void dot_rows(const std::byte* w, std::size_t columns, const float* x,
                                            std::size_t rows, float* out) {
  Sums<R, T> sums = {};
  std::size_t i = 0;
  for (; i + kLanes <= columns; i += kLanes) {
    add_products<Stored, R, T>(w + i * Stored::kBytes, x + i, columns, sums);
  }
  if (i < columns)
    add_rest<Stored, R, T>(w + i * Stored::kBytes, x + i, columns, columns - i, sums);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t r = 0; r < R; ++r) {
      float sum = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sum += sums[r][t][lane / kWidth][lane % kWidth];
      }
      out[t * rows + r] = sum;
    }
  }
}

// R rows with every vector.
template <typename Stored, std::size_t R>
void rows_each(const std::byte* w, std::size_t columns, const float* x, std::size_t times,
               std::size_t rows, float* out) {
  std::size_t t = 0;
  for (; t + kVectors <= times; t += kVectors) {
    dot_rows<Stored, R, kVectors>(w, columns, x + t * columns, rows, out + t * rows);
  }
  for (; t < times; ++t) {
    dot_rows<Stored, R, 1>(w, columns, x + t * columns, rows, out + t * rows);
  }
}

template <typename Stored>
void floats_each(const std::byte* w, std::size_t rows, std::size_t columns, const float* x,
                 std::size_t times, float* out) {
  const std::size_t row_bytes = columns * Stored::kBytes;
  std::size_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    rows_each<Stored, kRows>(w + r * row_bytes, columns, x, times, rows, out + r);
  }
  for (; r < rows; ++r) {
    rows_each<Stored, 1>(w + r * row_bytes, columns, x, times, rows, out + r);
  }
}

void multiply_f32(const float* w, std::size_t rows, std::size_t columns, const float* x,
                  std::size_t times, float* out) {
  floats_each<Float32>(reinterpret_cast<const std::byte*>(w), rows, columns, x, times, out);
}

void multiply_bf16(const std::byte* w, std::size_t rows, std::size_t columns, const float* x,
                   std::size_t times, float* out) {
  floats_each<BFloat16>(w, rows, columns, x, times, out);
}

}  // namespace
