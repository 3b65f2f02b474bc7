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

// R rows at once. The order of additions within a row is the same for every R.
template <typename Stored, std::size_t R>
inline void dot_rows(const std::byte* w, std::size_t columns, const float* x, float* out) {
  Floats sums[R] = {};
  std::size_t i = 0;
  for (; i + kLanes <= columns; i += kLanes) {
    const Floats part = *reinterpret_cast<const Floats*>(x + i);
    for (std::size_t r = 0; r < R; ++r) {
      Floats row;
      Stored::load(w + (r * columns + i) * Stored::kBytes, row);
      sums[r] += row * part;
    }
  }
  for (std::size_t r = 0; r < R; ++r) {
    float sum = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += sums[r][lane];
    for (std::size_t rest = i; rest < columns; ++rest) {
      sum += Stored::one(w + (r * columns + rest) * Stored::kBytes) * x[rest];
    }
    out[r] = sum;
  }
}

template <typename Stored>
void floats_each(const std::byte* w, std::size_t rows, std::size_t columns, const float* x,
                 std::size_t times, float* out) {
  const std::size_t row_bytes = columns * Stored::kBytes;
  std::size_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    for (std::size_t t = 0; t < times; ++t) {
      dot_rows<Stored, kRows>(w + r * row_bytes, columns, x + t * columns, out + t * rows + r);
    }
  }
  for (; r < rows; ++r) {
    for (std::size_t t = 0; t < times; ++t) {
      dot_rows<Stored, 1>(w + r * row_bytes, columns, x + t * columns, out + t * rows + r);
    }
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
