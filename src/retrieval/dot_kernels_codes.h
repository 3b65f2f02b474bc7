// The kernels of codes of one, two or four bits, the same source for every processor. Everything
// here is local to the file that includes it (dot_kernels_each.h).
//
// Bytes of codes are taken apart by shifts, a plane of one code a byte at a time, and multiplied as
// they are: unsigned, by signed bytes of x, which is what VNNI does. What stands for a code u is
// 2 u - (2^bits - 1); so the sum of the products is doubled, and x is taken off once for all rows.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_FEATURE_DOTPROD)
#include <arm_neon.h>
#endif

#include <cstddef>
#include <cstdint>

namespace {
namespace packed {

constexpr std::size_t kRowsAtOnce = 4;  // whose sums are added up together

template <int kBits>
constexpr std::size_t kPlanes = 8 / kBits;
template <int kBits>
constexpr int kMask = (1 << kBits) - 1;

#ifdef __AVX2__
constexpr std::size_t kStep = 8;      // bytes: every row is a multiple of it
constexpr std::size_t kAhead = 4096;  // rows are read in the order of memory
#ifdef __AVX512VNNI__
constexpr std::size_t kWidth = 64;
using Bytes = __m512i;
using Part = __m512i;  // sums of a plane's products

// GCC 12 warns of what its own unmasked forms leave undefined.
constexpr __mmask16 kWhole = 0xFFFF;

inline Bytes load(const void* bytes, std::size_t count) {
  const __mmask64 mask = count < kWidth ? (__mmask64{1} << count) - 1 : ~__mmask64{0};
  return _mm512_maskz_loadu_epi8(mask, bytes);
}
template <int kBits, std::size_t kPlane>
inline Bytes plane_of(Bytes bytes) {
  const Bytes shifted = _mm512_maskz_srli_epi16(~__mmask32{0}, bytes, kPlane * kBits);
  return _mm512_and_si512(shifted, _mm512_set1_epi8(kMask<kBits>));
}
inline void add_products(Part& sum, Bytes plane, Bytes x) {
  // _mm512_dpbusd_epi32, for which GCC 12 copies every sum and keeps some in memory.
  asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(plane), "v"(x));
}
inline __m512i folded_pairs(__m512i a, __m512i b) {
  return _mm512_add_epi32(_mm512_maskz_unpacklo_epi32(kWhole, a, b),
                          _mm512_maskz_unpackhi_epi32(kWhole, a, b));
}
// The sum of each of four.
inline __m128i totals(const Part* four) {
  const __m512i a = folded_pairs(four[0], four[1]);
  const __m512i b = folded_pairs(four[2], four[3]);
  const __m512i lanes = _mm512_add_epi32(_mm512_maskz_unpacklo_epi64(0xFF, a, b),
                                         _mm512_maskz_unpackhi_epi64(0xFF, a, b));
  const __m256i halves = _mm256_add_epi32(_mm512_maskz_extracti64x4_epi64(0xFF, lanes, 0),
                                          _mm512_maskz_extracti64x4_epi64(0xFF, lanes, 1));
  return _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
}
inline Part nothing() { return _mm512_setzero_si512(); }
#else
constexpr std::size_t kWidth = 32;
using Bytes = __m256i;
using Part = __m256i;

inline Bytes load(const void* bytes, std::size_t count) {
  if (count >= kWidth) return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
  long long parts[kWidth / kStep] = {};
  __builtin_memcpy(parts, bytes, count);
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(parts));
}
template <int kBits, std::size_t kPlane>
inline Bytes plane_of(Bytes bytes) {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, kPlane * kBits), _mm256_set1_epi8(kMask<kBits>));
}
inline void add_products(Part& sum, Bytes plane, Bytes x) {
#ifdef __AVXVNNI__
  sum = _mm256_dpbusd_avx_epi32(sum, plane, x);
#else
  // Two products of 15 x 128 at most fit 16 bits.
  const __m256i pairs = _mm256_maddubs_epi16(plane, x);
  sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
}
inline __m128i totals(const Part* four) {
  const __m256i pairs =
      _mm256_hadd_epi32(_mm256_hadd_epi32(four[0], four[1]), _mm256_hadd_epi32(four[2], four[3]));
  return _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
}
inline Part nothing() { return _mm256_setzero_si256(); }
#endif

// The products of the next `count` bytes of kRowsAtOnce rows, whose planes stand `bytes` apart in
// x, with T vectors.
template <int kBits, std::size_t T, std::size_t kPlane = 0>
[[gnu::always_inline]] inline void add_planes(const Bytes* rows, std::size_t bytes,
                                              std::size_t count, const std::int8_t* x,
                                              Part (*sums)[kRowsAtOnce]) {
  Bytes planes[kRowsAtOnce];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRowsAtOnce; ++r) planes[r] = plane_of<kBits, kPlane>(rows[r]);
#pragma GCC unroll 4
  for (std::size_t t = 0; t < T; ++t) {
    const Bytes vector = load(x + (t * kPlanes<kBits> + kPlane) * bytes, count);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kRowsAtOnce; ++r) add_products(sums[t][r], planes[r], vector);
  }
  if constexpr (kPlane + 1 < kPlanes<kBits>) {
    add_planes<kBits, T, kPlane + 1>(rows, bytes, count, x, sums);
  }
}

template <int kBits, std::size_t T>
[[gnu::always_inline]] inline void add_bytes(const std::uint8_t* const* rows, std::size_t bytes,
                                             std::size_t at, std::size_t count,
                                             const std::int8_t* x, Part (*sums)[kRowsAtOnce]) {
  Bytes some[kRowsAtOnce];
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRowsAtOnce; ++r) {
    if (T == 1) _mm_prefetch(reinterpret_cast<const char*>(rows[r] + at + kAhead), _MM_HINT_T0);
    some[r] = load(rows[r] + at, count);
  }
  add_planes<kBits, T>(some, bytes, count, x + at, sums);
}

// kRowsAtOnce rows with T vectors.
template <int kBits, std::size_t T>
[[gnu::always_inline]] inline void dot_rows(const std::uint8_t* const* rows, std::size_t bytes,
                                            const std::int8_t* x, __m128i* out) {
  Part sums[T][kRowsAtOnce];
#pragma GCC unroll 4
  for (std::size_t t = 0; t < T; ++t) {
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kRowsAtOnce; ++r) sums[t][r] = nothing();
  }
  std::size_t i = 0;
  for (; i + kWidth <= bytes; i += kWidth) add_bytes<kBits, T>(rows, bytes, i, kWidth, x, sums);
  if (i < bytes) add_bytes<kBits, T>(rows, bytes, i, bytes - i, x, sums);
#pragma GCC unroll 4
  for (std::size_t t = 0; t < T; ++t) out[t] = totals(sums[t]);
}

template <int kBits, std::size_t T>
void rows_with(const std::uint8_t* w, std::size_t rows, std::size_t bytes, const std::int8_t* x,
               const std::int32_t* taken_off, std::size_t first, std::size_t end,
               std::int32_t* out) {
  for (std::size_t r = first; r < end; r += kRowsAtOnce) {
    const std::size_t count = end - r < kRowsAtOnce ? end - r : kRowsAtOnce;
    const std::uint8_t* some[kRowsAtOnce];  // beyond the end the last row again
    for (std::size_t i = 0; i < kRowsAtOnce; ++i) {
      some[i] = w + (r + (i < count ? i : count - 1)) * bytes;
    }
    __m128i sums[T];
    dot_rows<kBits, T>(some, bytes, x, sums);
    for (std::size_t t = 0; t < T; ++t) {
      const __m128i centred =
          _mm_sub_epi32(_mm_add_epi32(sums[t], sums[t]), _mm_set1_epi32(taken_off[t]));
      if (count == kRowsAtOnce) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + t * rows + r), centred);
      } else {
        std::int32_t each[kRowsAtOnce];
        __builtin_memcpy(each, &centred, sizeof each);
        for (std::size_t i = 0; i < count; ++i) out[t * rows + r + i] = each[i];
      }
    }
  }
}
#ifdef __AVX512VNNI__
constexpr std::size_t kVectorsAtOnce = 4;
#else
constexpr std::size_t kVectorsAtOnce = 2;
#endif
#else
// Of one plane of a row, with its part of a vector. A compiler vectorises the loop.
template <int kBits>
inline std::int32_t plane_product(const std::uint8_t* row, std::size_t plane, const std::int8_t* x,
                                  std::size_t bytes) {
  const int shift = static_cast<int>(plane) * kBits;
  std::int32_t sum = 0;
  std::size_t i = 0;
#ifdef __ARM_FEATURE_DOTPROD
  int32x4_t sums = vdupq_n_s32(0);
  for (; i + sizeof(uint8x16_t) <= bytes; i += sizeof(uint8x16_t)) {
    const uint8x16_t codes =
        vandq_u8(vshlq_u8(vld1q_u8(row + i), vdupq_n_s8(static_cast<std::int8_t>(-shift))),
                 vdupq_n_u8(kMask<kBits>));
    sums = vdotq_s32(sums, vreinterpretq_s8_u8(codes), vld1q_s8(x + i));
  }
  sum = vaddvq_s32(sums);
#endif
  for (; i < bytes; ++i) sum += ((row[i] >> shift) & kMask<kBits>)*x[i];
  return sum;
}

template <int kBits, std::size_t T>
void rows_with(const std::uint8_t* w, std::size_t rows, std::size_t bytes, const std::int8_t* x,
               const std::int32_t* taken_off, std::size_t first, std::size_t end,
               std::int32_t* out) {
  for (std::size_t r = first; r < end; ++r) {
    for (std::size_t t = 0; t < T; ++t) {
      const std::int8_t* vector = x + t * kPlanes<kBits> * bytes;
      std::int32_t sum = 0;
      for (std::size_t plane = 0; plane < kPlanes<kBits>; ++plane) {
        sum += plane_product<kBits>(w + r * bytes, plane, vector + plane * bytes, bytes);
      }
      out[t * rows + r] = 2 * sum - taken_off[t];
    }
  }
}
constexpr std::size_t kVectorsAtOnce = 1;
#endif

// Blocks of rows stay in the first cache while all vectors go by.
template <int kBits>
void multiply(const std::uint8_t* w, std::size_t rows, std::size_t bytes, const std::int8_t* x,
              std::size_t times, std::int32_t* out) {
  const std::size_t columns = bytes * kPlanes<kBits>;
  const std::size_t block = times <= 1 ? rows : 64;
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t end = first + block < rows ? first + block : rows;
    std::size_t t = 0;
    while (t < times) {
      const std::size_t some = times - t < kVectorsAtOnce ? 1 : kVectorsAtOnce;
      std::int32_t taken_off[kVectorsAtOnce] = {};
      for (std::size_t i = 0; i < some; ++i) {
        for (std::size_t c = 0; c < columns; ++c) taken_off[i] += x[(t + i) * columns + c];
        taken_off[i] *= kMask<kBits>;
      }
      const std::int8_t* from = x + t * columns;
      if (some == kVectorsAtOnce) {
        rows_with<kBits, kVectorsAtOnce>(w, rows, bytes, from, taken_off, first, end,
                                         out + t * rows);
      } else {
        rows_with<kBits, 1>(w, rows, bytes, from, taken_off, first, end, out + t * rows);
      }
      t += some;
    }
  }
}

}  // namespace packed

void multiply_codes(const std::uint8_t* w, std::size_t rows, std::size_t bytes, int bits,
                    const std::int8_t* x, std::size_t times, std::int32_t* out) {
  if (bits == 1) {
    packed::multiply<1>(w, rows, bytes, x, times, out);
  } else if (bits == 2) {
    packed::multiply<2>(w, rows, bytes, x, times, out);
  } else {
    packed::multiply<4>(w, rows, bytes, x, times, out);
  }
}

}  // namespace
