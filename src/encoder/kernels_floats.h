// The float kernels, the same source for every processor: the compiler maps sixteen partial sums to
// one, two or four registers. Everything here is local to the file that includes it
// (kernels_each.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kRows = 4;  // at once, so that one sum need not wait for another
// Likewise, where there are registers for it: what is loaded then serves several times.
#ifdef __AVX512F__
constexpr std::size_t kVectors = 4;
#else
constexpr std::size_t kVectors = 1;
#endif

using Floats [[gnu::vector_size(kLanes * 4), gnu::aligned(1), gnu::may_alias]] = float;
using Words [[gnu::vector_size(kLanes * 4)]] = std::uint32_t;
using Halves [[gnu::vector_size(kLanes * 2), gnu::aligned(1), gnu::may_alias]] = std::uint16_t;

// How `w` is stored.
struct Float32 {
  static constexpr std::size_t kBytes = 4;
  static void load(const std::byte* w, Floats& out) { out = *reinterpret_cast<const Floats*>(w); }
  static float one(const std::byte* w) {
    float value = 0;
    std::memcpy(&value, w, sizeof value);
    return value;
  }
};
struct BFloat16 {
  static constexpr std::size_t kBytes = 2;
  static void load(const std::byte* w, Floats& out) {
    const Halves halves = *reinterpret_cast<const Halves*>(w);
    const Words words = __builtin_convertvector(halves, Words) << 16U;
    out = reinterpret_cast<const Floats&>(words);
  }
  static float one(const std::byte* w) {
    std::uint16_t half = 0;
    std::memcpy(&half, w, sizeof half);
    const std::uint32_t word = static_cast<std::uint32_t>(half) << 16U;
    float value = 0;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

// R rows with T vectors at once. The order of additions within a row is the same for every R and T.
template <typename Stored, std::size_t R, std::size_t T>
[[gnu::always_inline]] inline void dot_rows(const std::byte* w, std::size_t columns, const float* x,
                                            std::size_t rows, float* out) {
  Floats sums[R][T] = {};
  std::size_t i = 0;
  for (; i + kLanes <= columns; i += kLanes) {
    Floats parts[T];
    for (std::size_t t = 0; t < T; ++t) {
      parts[t] = *reinterpret_cast<const Floats*>(x + t * columns + i);
    }
    for (std::size_t r = 0; r < R; ++r) {
      Floats row;
      Stored::load(w + (r * columns + i) * Stored::kBytes, row);
      for (std::size_t t = 0; t < T; ++t) sums[r][t] += row * parts[t];
    }
  }
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t r = 0; r < R; ++r) {
      float sum = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) sum += sums[r][t][lane];
      for (std::size_t rest = i; rest < columns; ++rest) {
        sum += Stored::one(w + (r * columns + rest) * Stored::kBytes) * x[t * columns + rest];
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
