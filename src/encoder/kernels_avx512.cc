#ifdef __AVX512VNNI__
#include <immintrin.h>

#include "encoder/kernels_each.h"
#include "encoder/kernels_floats.h"

namespace hinny {
namespace {

constexpr std::size_t kBytes = 64;

// VNNI multiplies unsigned by signed bytes. So `w` is raised by 128 (its sign bit flipped), which
// adds 128 times the sum of x to every product.
constexpr std::int32_t kRaised = 128;

inline __m512i raised(__m512i bytes) {
  return _mm512_xor_si512(bytes, _mm512_set1_epi8(static_cast<char>(kRaised)));
}

// By way of memory: GCC 12 warns of its own _mm512_reduce_add_epi32.
[[gnu::always_inline]] inline std::int32_t sum_of(__m512i sums) {
  alignas(kBytes) __m256i halves[2];
  _mm512_store_si512(halves, sums);
  const __m256i eight = _mm256_add_epi32(halves[0], halves[1]);
  const __m128i four =
      _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}

// A row comes from far and is read in the order of memory, which the processor foresees, so only
// the way to the next rows needs help.
constexpr std::size_t kAhead = 2048;
constexpr std::size_t kUnrolled = 4;  // so that one sum need not wait for another

// One row with T vectors.
template <std::size_t T>
[[gnu::always_inline]] inline void dot_bytes(const std::int8_t* w, std::size_t rows,
                                             std::size_t columns, const std::int8_t* x,
                                             const std::int32_t* more, std::int32_t* out) {
  __m512i sums[kUnrolled][T];  // set one by one: "= {}" would keep them in memory
#pragma GCC unroll 8
  for (std::size_t u = 0; u < kUnrolled; ++u) {
#pragma GCC unroll 2
    for (std::size_t t = 0; t < T; ++t) sums[u][t] = _mm512_setzero_si512();
  }
  std::size_t i = 0;
  for (; i + kUnrolled * kBytes <= columns; i += kUnrolled * kBytes) {
#pragma GCC unroll 8
    for (std::size_t u = 0; u < kUnrolled; ++u) {
      const std::size_t place = i + u * kBytes;
      _mm_prefetch(w + place + kAhead, _MM_HINT_T0);
      const __m512i part = raised(_mm512_loadu_si512(w + place));
#pragma GCC unroll 2
      for (std::size_t t = 0; t < T; ++t) {
        sums[u][t] =
            _mm512_dpbusd_epi32(sums[u][t], part, _mm512_loadu_si512(x + t * columns + place));
      }
    }
  }
  for (; i < columns; i += kBytes) {
    const std::size_t left = columns - i;
    const __mmask64 mask = left < kBytes ? (__mmask64{1} << left) - 1 : ~__mmask64{0};
    const __m512i part = raised(_mm512_maskz_loadu_epi8(mask, w + i));
    for (std::size_t t = 0; t < T; ++t) {
      sums[0][t] =
          _mm512_dpbusd_epi32(sums[0][t], part, _mm512_maskz_loadu_epi8(mask, x + t * columns + i));
    }
  }
#pragma GCC unroll 2
  for (std::size_t t = 0; t < T; ++t) {
    const __m512i half = _mm512_add_epi32(sums[0][t], sums[1][t]);
    const __m512i other = _mm512_add_epi32(sums[2][t], sums[3][t]);
    out[t * rows] = sum_of(_mm512_add_epi32(half, other)) - more[t];
  }
}

// What raising w adds to the products of T vectors.
template <std::size_t T>
inline void count_more(const std::int8_t* x, std::size_t columns, std::int32_t* more) {
  for (std::size_t t = 0; t < T; ++t) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += x[t * columns + i];
    more[t] = kRaised * sum;
  }
}

// T vectors at a time, and within them row after row of a block that stays in the first cache.
template <std::size_t T>
inline void block_of(const std::int8_t* w, std::size_t rows, std::size_t columns,
                     const std::int8_t* x, std::size_t first, std::size_t end, std::int32_t* out) {
  std::int32_t more[T];
  count_more<T>(x, columns, more);
  for (std::size_t r = first; r < end; ++r) {
    dot_bytes<T>(w + r * columns, rows, columns, x, more, out + r);
  }
}

void multiply_i8(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                 std::size_t times, std::int32_t* out) {
  constexpr std::size_t kBlockRows = 32;
  const std::size_t block = times <= 2 ? rows : kBlockRows;
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t end = first + block < rows ? first + block : rows;
    std::size_t t = 0;
    for (; t + 2 <= times; t += 2) {
      block_of<2>(w, rows, columns, x + t * columns, first, end, out + t * rows);
    }
    if (t < times) block_of<1>(w, rows, columns, x + t * columns, first, end, out + t * rows);
  }
}

}  // namespace

const Kernels& avx512_kernels() {
  static constexpr Kernels all = {multiply_f32, multiply_bf16, multiply_i8};
  return all;
}

}  // namespace hinny
#endif
