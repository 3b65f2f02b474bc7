// The int8 kernels of 128 and 256 bits, the same source with VNNI and without. Everything here is
// local to the file that includes it (dot_kernels_each.h).
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace {

#ifdef __AVXVNNI__
// VNNI multiplies unsigned by signed bytes. So `w` is raised by 128 (its sign bit flipped), which
// adds 128 times the sum of x to every product.
constexpr std::size_t kBytes = 32;
constexpr std::int32_t kRaised = 128;
using Register = __m256i;

inline __m256i bytes_of(const std::int8_t* x) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
}
inline __m256i row_of(const std::int8_t* w) {
  return _mm256_xor_si256(bytes_of(w), _mm256_set1_epi8(static_cast<char>(kRaised)));
}
inline __m256i plus_products(__m256i sums, __m256i row, __m256i bytes) {
  return _mm256_dpbusd_avx_epi32(sums, row, bytes);
}
#elif defined(__AVX2__)
constexpr std::size_t kBytes = 16;  // widened to sixteen 16-bit numbers, multiplied in pairs
using Register = __m256i;

inline __m256i bytes_of(const std::int8_t* x) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
}
inline __m256i row_of(const std::int8_t* w) { return bytes_of(w); }
inline __m256i plus_products(__m256i sums, __m256i row, __m256i bytes) {
  return _mm256_add_epi32(sums, _mm256_madd_epi16(row, bytes));
}
#else
constexpr std::size_t kBytes = 8;  // likewise: SSE2, which every x86-64 has
using Register = __m128i;

inline __m128i bytes_of(const std::int8_t* x) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(x));
  return _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
}
inline __m128i row_of(const std::int8_t* w) { return bytes_of(w); }
inline __m128i plus_products(__m128i sums, __m128i row, __m128i bytes) {
  return _mm_add_epi32(sums, _mm_madd_epi16(row, bytes));
}
#endif

inline std::int32_t sum_of(Register sums) {
#ifdef __AVX2__
  const __m128i four =
      _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
#else
  const __m128i four = sums;
#endif
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}

// What raising a row adds to its product with x.
inline std::int32_t more_of([[maybe_unused]] const std::int8_t* x,
                            [[maybe_unused]] std::size_t columns) {
#ifdef __AVXVNNI__
  __m256i sums = _mm256_setzero_si256();
  for (std::size_t i = 0; i + kBytes <= columns; i += kBytes) {
    sums = plus_products(sums, _mm256_set1_epi8(1), bytes_of(x + i));
  }
  return kRaised * sum_of(sums);
#else
  return 0;
#endif
}

// R rows with T vectors; out[t * rows + r].
template <std::size_t R, std::size_t T>
inline void dot_bytes(const std::int8_t* w, std::size_t columns, const std::int8_t* x,
                      const std::int32_t* more, std::size_t rows, std::int32_t* out) {
  Register sums[T][R] = {};
  std::size_t i = 0;
  for (; i + kBytes <= columns; i += kBytes) {
    Register parts[T];
    for (std::size_t t = 0; t < T; ++t) parts[t] = bytes_of(x + t * columns + i);
    for (std::size_t r = 0; r < R; ++r) {
      const Register row = row_of(w + r * columns + i);
      for (std::size_t t = 0; t < T; ++t) sums[t][r] = plus_products(sums[t][r], row, parts[t]);
    }
  }
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t r = 0; r < R; ++r) {
      std::int32_t sum = sum_of(sums[t][r]) - more[t];
      for (std::size_t rest = i; rest < columns; ++rest) {
        sum += static_cast<std::int32_t>(w[r * columns + rest]) * x[t * columns + rest];
      }
      out[t * rows + r] = sum;
    }
  }
}

// The rows [first, end) with T vectors.
template <std::size_t T>
void rows_with(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
               std::size_t first, std::size_t end, std::int32_t* out) {
  constexpr std::size_t kTogether = 4;
  std::int32_t more[T];
  for (std::size_t t = 0; t < T; ++t) more[t] = more_of(x + t * columns, columns);
  std::size_t r = first;
  for (; r + kTogether <= end; r += kTogether) {
    dot_bytes<kTogether, T>(w + r * columns, columns, x, more, rows, out + r);
  }
  for (; r < end; ++r) dot_bytes<1, T>(w + r * columns, columns, x, more, rows, out + r);
}

// Blocks of rows stay in the first cache while all vectors go by.
void multiply_i8(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                 std::size_t times, std::int32_t* out) {
  constexpr std::size_t kBlockRows = 64;
  const std::size_t block = times <= 2 ? rows : kBlockRows;
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t end = first + block < rows ? first + block : rows;
    std::size_t t = 0;
    for (; t + 2 <= times; t += 2) {
      rows_with<2>(w, rows, columns, x + t * columns, first, end, out + t * rows);
    }
    if (t < times) rows_with<1>(w, rows, columns, x + t * columns, first, end, out + t * rows);
  }
}

void multiply_i8_apart(const std::int8_t* const* w, std::size_t rows, std::size_t columns,
                       const std::int8_t* x, std::int32_t* out) {
  const std::int32_t more = more_of(x, columns);
  for (std::size_t r = 0; r < rows; ++r) dot_bytes<1, 1>(w[r], columns, x, &more, 1, out + r);
}

}  // namespace
