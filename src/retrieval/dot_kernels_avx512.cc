#ifdef __AVX512VNNI__
#include <immintrin.h>

#include "retrieval/dot_kernels_codes.h"
#include "retrieval/dot_kernels_each.h"
#include "retrieval/dot_kernels_floats.h"

namespace hinny {
namespace {

constexpr std::size_t kBytes = 64;

// VNNI multiplies unsigned by signed bytes. So `w` is raised by 128 (its sign bit flipped), which
// adds 128 times the sum of x to every product.
constexpr std::int32_t kRaised = 128;

inline __m512i raised(__m512i bytes) {
  return _mm512_xor_si512(bytes, _mm512_set1_epi8(static_cast<char>(kRaised)));
}

// GCC 12 warns of what its own unmasked shuffles leave undefined.
constexpr __mmask16 kAll = 0xFFFF;
constexpr __mmask8 kAllPairs = 0xFF;

inline __m512i folded(__m512i a, __m512i b) {
  return _mm512_add_epi32(_mm512_maskz_unpacklo_epi32(kAll, a, b),
                          _mm512_maskz_unpackhi_epi32(kAll, a, b));
}

// The sum of each of four vectors.
[[gnu::always_inline]] inline __m128i sums_of(const __m512i* four) {
  const __m512i a = folded(four[0], four[1]);
  const __m512i b = folded(four[2], four[3]);
  const __m512i lanes = _mm512_add_epi32(_mm512_maskz_unpacklo_epi64(kAllPairs, a, b),
                                         _mm512_maskz_unpackhi_epi64(kAllPairs, a, b));
  const __m256i halves = _mm256_add_epi32(_mm512_maskz_extracti64x4_epi64(kAllPairs, lanes, 0),
                                          _mm512_maskz_extracti64x4_epi64(kAllPairs, lanes, 1));
  return _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
}

// Rows that come from far are read in the order of memory, which the processor foresees, so only
// the way to the next ones needs help. Of rows that lie apart nobody knows what follows.
enum class Rows { in_order, apart };
constexpr std::size_t kAhead = 4096;
constexpr std::size_t kRows = 4;  // that are summed up together

inline __mmask64 first_bytes(std::size_t count) {
  return count < kBytes ? (__mmask64{1} << count) - 1 : ~__mmask64{0};
}

// One row with T vectors, in sums[t * kRows]. Several sums, so that one need not wait for another.
template <std::size_t T, Rows kLie>
[[gnu::always_inline]] inline void dot_row(const std::int8_t* w, std::size_t columns,
                                           const std::int8_t* x, __m512i* sums) {
  constexpr std::size_t kUnrolled = 4;
  __m512i parts[kUnrolled][T];  // set one by one: "= {}" would keep them in memory
#pragma GCC unroll 8  // counts, for the compiler's sake: NOLINTNEXTLINE(modernize-loop-convert)
  for (std::size_t u = 0; u < kUnrolled; ++u) {
#pragma GCC unroll 2
    for (std::size_t t = 0; t < T; ++t) parts[u][t] = _mm512_setzero_si512();
  }
  std::size_t i = 0;
  for (; i + kUnrolled * kBytes <= columns; i += kUnrolled * kBytes) {
#pragma GCC unroll 8
    for (std::size_t u = 0; u < kUnrolled; ++u) {
      const std::size_t place = i + u * kBytes;
      if constexpr (kLie == Rows::in_order) _mm_prefetch(w + place + kAhead, _MM_HINT_T0);
      const __m512i part = raised(_mm512_loadu_si512(w + place));
#pragma GCC unroll 2
      for (std::size_t t = 0; t < T; ++t) {
        parts[u][t] =
            _mm512_dpbusd_epi32(parts[u][t], part, _mm512_loadu_si512(x + t * columns + place));
      }
    }
  }
  for (; i < columns; i += kBytes) {
    const __mmask64 mask = first_bytes(columns - i);
    const __m512i part = raised(_mm512_maskz_loadu_epi8(mask, w + i));
#pragma GCC unroll 2
    for (std::size_t t = 0; t < T; ++t) {
      parts[0][t] = _mm512_dpbusd_epi32(parts[0][t], part,
                                        _mm512_maskz_loadu_epi8(mask, x + t * columns + i));
    }
  }
#pragma GCC unroll 2
  for (std::size_t t = 0; t < T; ++t) {
    sums[t * kRows] = _mm512_add_epi32(_mm512_add_epi32(parts[0][t], parts[1][t]),
                                       _mm512_add_epi32(parts[2][t], parts[3][t]));
  }
}

// What raising w adds to the products of T vectors.
template <std::size_t T>
inline void count_more(const std::int8_t* x, std::size_t columns, std::int32_t* more) {
  for (std::size_t t = 0; t < T; ++t) {
    __m512i sum = _mm512_setzero_si512();
    for (std::size_t i = 0; i < columns; i += kBytes) {
      sum = _mm512_dpbusd_epi32(
          sum, _mm512_set1_epi8(1),
          _mm512_maskz_loadu_epi8(first_bytes(columns - i), x + t * columns + i));
    }
    const __m512i parts[kRows] = {sum, _mm512_setzero_si512(), _mm512_setzero_si512(),
                                  _mm512_setzero_si512()};
    more[t] = kRaised * _mm_cvtsi128_si32(sums_of(parts));
  }
}

// Up to two vectors: each row is read once, from end to end.
template <std::size_t T>
inline void few_vectors(const std::int8_t* w, std::size_t rows, std::size_t columns,
                        const std::int8_t* x, std::size_t first, std::size_t end,
                        std::int32_t* out) {
  std::int32_t more[T];
  count_more<T>(x, columns, more);
  for (std::size_t r = first; r < end; r += kRows) {
    __m512i sums[T * kRows];
    const std::size_t count = end - r < kRows ? end - r : kRows;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kRows; ++i) {
      // Beyond the end the last row again: what it gives is not stored.
      dot_row<T, Rows::in_order>(w + (r + (i < count ? i : count - 1)) * columns, columns, x,
                                 sums + i);
    }
#pragma GCC unroll 2
    for (std::size_t t = 0; t < T; ++t) {
      const auto stored = static_cast<__mmask8>((1U << count) - 1);
      _mm_mask_storeu_epi32(out + t * rows + r, stored,
                            _mm_sub_epi32(sums_of(sums + t * kRows), _mm_set1_epi32(more[t])));
    }
  }
}

constexpr std::size_t kVectors = 4;

// Adds the products of the next bytes of kRows rows with those of kVectors vectors; each number
// that is loaded serves four times.
[[gnu::always_inline]] inline void add_products(const std::int8_t* w, const std::int8_t* x,
                                                std::size_t columns, __mmask64 mask,
                                                __m512i* sums) {
  __m512i parts[kRows];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
    parts[r] = raised(_mm512_maskz_loadu_epi8(mask, w + r * columns));
  }
#pragma GCC unroll 4
  for (std::size_t t = 0; t < kVectors; ++t) {
    const __m512i vector = _mm512_maskz_loadu_epi8(mask, x + t * columns);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kRows; ++r) {
      // _mm512_dpbusd_epi32, for which GCC 12 copies every sum and keeps some in memory.
      asm("vpdpbusd %2, %1, %0" : "+v"(sums[t * kRows + r]) : "v"(parts[r]), "v"(vector));
    }
  }
}

// kRows rows that are near with kVectors vectors.
inline void four_vectors(const std::int8_t* w, std::size_t rows, std::size_t columns,
                         const std::int8_t* x, const std::int32_t* more, std::int32_t* out) {
  __m512i sums[kVectors * kRows];
#pragma GCC unroll 16  // likewise: NOLINTNEXTLINE(modernize-loop-convert)
  for (std::size_t i = 0; i < kVectors * kRows; ++i) sums[i] = _mm512_setzero_si512();
  std::size_t i = 0;
  for (; i + kBytes <= columns; i += kBytes) {
    add_products(w + i, x + i, columns, ~__mmask64{0}, sums);
  }
  if (i < columns) add_products(w + i, x + i, columns, first_bytes(columns - i), sums);
#pragma GCC unroll 4
  for (std::size_t t = 0; t < kVectors; ++t) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + t * rows),
                     _mm_sub_epi32(sums_of(sums + t * kRows), _mm_set1_epi32(more[t])));
  }
}

// While the vectors go by, the rows that are as far on in the next block are fetched, a part of
// them with every four vectors.
inline void fetch_part(const std::int8_t* next, std::size_t bytes, std::size_t t,
                       std::size_t times) {
  const std::size_t end = bytes * (t + kVectors) / times;
  for (std::size_t i = bytes * t / times / kBytes * kBytes; i < end; i += kBytes) {
    _mm_prefetch(next + i, _MM_HINT_T1);
  }
}

// Blocks of rows stay in the first cache while all vectors go by.
void multiply_i8(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                 std::size_t times, std::int32_t* out) {
  constexpr std::size_t kBlockRows = 64;
  const std::size_t block = times <= 2 ? rows : kBlockRows;
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t end = first + block < rows ? first + block : rows;
    std::size_t t = 0;
    for (; t + 4 <= times && first + kRows <= end; t += 4) {
      std::int32_t more[4];
      count_more<4>(x + t * columns, columns, more);
      for (std::size_t r = first; r < end; r += kRows) {
        const std::size_t row = r + kRows <= end ? r : end - kRows;  // some of the last ones twice
        fetch_part(w + (row + block) * columns, kRows * columns, t, times);
        four_vectors(w + row * columns, rows, columns, x + t * columns, more, out + t * rows + row);
      }
    }
    for (; t + 2 <= times; t += 2) {
      few_vectors<2>(w, rows, columns, x + t * columns, first, end, out + t * rows);
    }
    if (t < times) few_vectors<1>(w, rows, columns, x + t * columns, first, end, out + t * rows);
  }
}

void multiply_i8_apart(const std::int8_t* const* w, std::size_t rows, std::size_t columns,
                       const std::int8_t* x, std::int32_t* out) {
  std::int32_t more = 0;
  count_more<1>(x, columns, &more);
  for (std::size_t r = 0; r < rows; r += kRows) {
    __m512i sums[kRows];
    const std::size_t count = rows - r < kRows ? rows - r : kRows;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kRows; ++i) {
      if (i < count) {
        dot_row<1, Rows::apart>(w[r + i], columns, x, sums + i);
      } else {
        sums[i] = _mm512_setzero_si512();
      }
    }
    _mm_mask_storeu_epi32(out + r, static_cast<__mmask8>((1U << count) - 1),
                          _mm_sub_epi32(sums_of(sums), _mm_set1_epi32(more)));
  }
}

}  // namespace

const DotKernels& avx512_kernels() {
  static constexpr DotKernels all = {multiply_f32, multiply_bf16, multiply_i8, multiply_i8_apart,
                                     multiply_codes};
  return all;
}

}  // namespace hinny
#endif
