#ifdef __AVX2__
#include <immintrin.h>

#include "retrieval/kernels_each.h"
#include "retrieval/kernels_floats.h"

namespace hinny {
namespace {

constexpr std::size_t kBytes = 16;  // widened to sixteen 16-bit numbers, multiplied in pairs

inline __m256i widened(const std::int8_t* bytes) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
}

inline std::int32_t sum_of(__m256i sums) {
  const __m128i four =
      _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}

// R rows with T vectors; out[t * rows + r].
template <std::size_t R, std::size_t T>
inline void dot_bytes(const std::int8_t* w, std::size_t columns, const std::int8_t* x,
                      std::size_t rows, std::int32_t* out) {
  __m256i sums[T][R] = {};
  std::size_t i = 0;
  for (; i + kBytes <= columns; i += kBytes) {
    __m256i parts[T];
    for (std::size_t t = 0; t < T; ++t) parts[t] = widened(x + t * columns + i);
    for (std::size_t r = 0; r < R; ++r) {
      const __m256i row = widened(w + r * columns + i);
      for (std::size_t t = 0; t < T; ++t) {
        sums[t][r] = _mm256_add_epi32(sums[t][r], _mm256_madd_epi16(row, parts[t]));
      }
    }
  }
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t r = 0; r < R; ++r) {
      std::int32_t sum = sum_of(sums[t][r]);
      for (std::size_t rest = i; rest < columns; ++rest) {
        sum += static_cast<std::int32_t>(w[r * columns + rest]) * x[t * columns + rest];
      }
      out[t * rows + r] = sum;
    }
  }
}

// R rows with every vector.
template <std::size_t R>
void bytes_each(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                std::size_t times, std::int32_t* out) {
  std::size_t t = 0;
  for (; t + 2 <= times; t += 2) {
    dot_bytes<R, 2>(w, columns, x + t * columns, rows, out + t * rows);
  }
  if (t < times) dot_bytes<R, 1>(w, columns, x + t * columns, rows, out + t * rows);
}

void multiply_i8(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                 std::size_t times, std::int32_t* out) {
  std::size_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    bytes_each<kRows>(w + r * columns, rows, columns, x, times, out + r);
  }
  for (; r < rows; ++r) bytes_each<1>(w + r * columns, rows, columns, x, times, out + r);
}

void multiply_i8_apart(const std::int8_t* const* w, std::size_t rows, std::size_t columns,
                       const std::int8_t* x, std::int32_t* out) {
  for (std::size_t r = 0; r < rows; ++r) dot_bytes<1, 1>(w[r], columns, x, 1, out + r);
}

}  // namespace

const Kernels& avx2_kernels() {
  static constexpr Kernels all = {multiply_f32, multiply_bf16, multiply_i8, multiply_i8_apart};
  return all;
}

}  // namespace hinny
#endif
