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

// The same where the last columns are multiplied in a register, too.
inline std::int32_t more_of_all([[maybe_unused]] const std::int8_t* x,
                                [[maybe_unused]] std::size_t columns) {
#ifdef __AVXVNNI__
  std::int32_t rest = 0;
  for (std::size_t i = columns / kBytes * kBytes; i < columns; ++i) rest += x[i];
  return more_of(x, columns) + kRaised * rest;
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

// Many vectors: each lane of a register adds up the products of one of them with a row, so that
// nothing is added across lanes.
constexpr std::size_t kVectorLanes = sizeof(Register) / sizeof(std::int32_t);
constexpr std::size_t kPacked = 4 * kVectorLanes;  // vectors whose numbers lie beside each other
constexpr std::size_t kWorthLanes = 2 * kVectorLanes;  // vectors: fewer are as quick one by one
constexpr std::size_t kChunk = 256;  // columns: packed, they stay in the first cache
constexpr std::size_t kLaneUnits =
    kVectorLanes * kChunk / kBytes;  // what a lane multiplies at once
constexpr std::size_t kRowsTogether = 4;

// Of a vector or, raised, of a row. Beyond `count` there are zeros, at the vector's side.
template <bool kRow>
inline void spread(const std::int8_t* numbers, std::size_t count, std::int32_t* units) {
  for (std::size_t i = 0; i < count; i += kBytes, units += kVectorLanes) {
    std::int8_t rest[kBytes] = {};
    const std::int8_t* from = numbers + i;
    if (i + kBytes > count) {
      for (std::size_t j = 0; i + j < count; ++j) rest[j] = from[j];
      from = rest;
    }
    const Register part = kRow ? row_of(from) : bytes_of(from);
    __builtin_memcpy(units, &part, sizeof part);
  }
}

inline Register in_each_lane(std::int32_t unit) {
#ifdef __AVX2__
  return _mm256_set1_epi32(unit);
#else
  return _mm_set1_epi32(unit);
#endif
}

// kRowsTogether rows with the vectors of two registers.
inline void add_lanes(const std::int32_t (*rows)[kLaneUnits], std::size_t units,
                      const std::int32_t* packed, std::int32_t (*tile)[2 * kVectorLanes]) {
  Register sums[kRowsTogether][2] = {};
  for (std::size_t unit = 0; unit < units; ++unit, packed += kPacked) {
    Register vectors[2];
    __builtin_memcpy(vectors, packed, sizeof vectors);
    for (std::size_t r = 0; r < kRowsTogether; ++r) {
      const Register row = in_each_lane(rows[r][unit]);
      for (std::size_t i = 0; i < 2; ++i) sums[r][i] = plus_products(sums[r][i], row, vectors[i]);
    }
  }
  for (std::size_t r = 0; r < kRowsTogether; ++r) {
    __builtin_memcpy(tile[r], sums[r], sizeof sums[r]);
  }
}

// Adds what kRowsTogether rows and four vectors give to out[t * stride + r].
inline void add_tile(const std::int32_t* tile, std::size_t stride, std::int32_t* out) {
  __m128i rows[kRowsTogether];
  for (std::size_t r = 0; r < kRowsTogether; ++r) {
    __builtin_memcpy(&rows[r], tile + r * 2 * kVectorLanes, sizeof rows[r]);
  }
  const __m128i low = _mm_unpacklo_epi32(rows[0], rows[1]);
  const __m128i other_low = _mm_unpacklo_epi32(rows[2], rows[3]);
  const __m128i high = _mm_unpackhi_epi32(rows[0], rows[1]);
  const __m128i other_high = _mm_unpackhi_epi32(rows[2], rows[3]);
  const __m128i vectors[] = {_mm_unpacklo_epi64(low, other_low), _mm_unpackhi_epi64(low, other_low),
                             _mm_unpacklo_epi64(high, other_high),
                             _mm_unpackhi_epi64(high, other_high)};
  for (std::size_t t = 0; t < 4; ++t) {
    auto* to = reinterpret_cast<__m128i*>(out + t * stride);
    _mm_storeu_si128(to, _mm_add_epi32(_mm_loadu_si128(to), vectors[t]));
  }
}

// kPacked vectors at most; out[t * stride + r].
void in_lanes(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
              std::size_t times, std::size_t stride, std::int32_t* out) {
  alignas(sizeof(Register)) std::int32_t packed[kLaneUnits * kPacked];
  alignas(sizeof(Register)) std::int32_t spread_rows[kRowsTogether][kLaneUnits];
  std::int32_t tile[kRowsTogether][2 * kVectorLanes];
  for (std::size_t t = 0; t < times; ++t) {
    const std::int32_t more = more_of_all(x + t * columns, columns);
    for (std::size_t r = 0; r < rows; ++r) out[t * stride + r] = -more;
  }
  for (std::size_t from = 0; from < columns; from += kChunk) {
    const std::size_t count = columns - from < kChunk ? columns - from : kChunk;
    const std::size_t units = (count + kBytes - 1) / kBytes * kVectorLanes;
    for (std::size_t t = 0; t < kPacked; ++t) {  // beyond the last vector, that one again
      std::int32_t one[kLaneUnits];
      spread<false>(x + (t < times ? t : times - 1) * columns + from, count, one);
      for (std::size_t unit = 0; unit < units; ++unit) packed[unit * kPacked + t] = one[unit];
    }
    for (std::size_t r = 0; r < rows; r += kRowsTogether) {
      const std::size_t some = rows - r < kRowsTogether ? rows - r : kRowsTogether;
      for (std::size_t i = 0; i < kRowsTogether; ++i) {
        spread<true>(w + (r + (i < some ? i : some - 1)) * columns + from, count, spread_rows[i]);
      }
      for (std::size_t first = 0; first < times; first += 2 * kVectorLanes) {
        add_lanes(spread_rows, units, packed + first, tile);
        std::size_t t = 0;
        for (; some == kRowsTogether && t + 4 <= 2 * kVectorLanes && first + t + 4 <= times;
             t += 4) {
          add_tile(tile[0] + t, stride, out + (first + t) * stride + r);
        }
        for (; t < 2 * kVectorLanes && first + t < times; ++t) {
          for (std::size_t i = 0; i < some; ++i) out[(first + t) * stride + r + i] += tile[i][t];
        }
      }
    }
  }
}

// Blocks of rows stay in a near cache while all vectors go by.
void multiply_i8(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                 std::size_t times, std::int32_t* out) {
  const bool lanes = times >= kWorthLanes && rows >= kRowsTogether && columns > 0;
  const std::size_t block = times <= 2 ? rows : lanes ? 256 : 64;
  for (std::size_t first = 0; first < rows; first += block) {
    const std::size_t end = first + block < rows ? first + block : rows;
    std::size_t t = 0;
    for (; lanes && t < times; t += kPacked) {
      in_lanes(w + first * columns, end - first, columns, x + t * columns,
               times - t < kPacked ? times - t : kPacked, rows, out + t * rows + first);
    }
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
