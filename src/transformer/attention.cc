#include "transformer/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/every_processor.h"
#include "base/vector_math.h"

namespace hinny {
namespace {

constexpr std::size_t kLanes = 16;   // columns at a time, of any register's width
constexpr std::size_t kQueries = 4;  // at a time, so that keys are read a quarter as often

std::size_t whole_lanes(std::size_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

// One head's memory: zeros fill rows up to whole lanes.
struct Head {
  std::size_t size;          // numbers of a key
  std::size_t length;        // keys
  std::size_t wide, across;  // size and length in whole lanes
  float* keys;               // [size, across], transposed
  float* values;             // [length, wide]
  float* queries;            // [size, kQueries], scaled
  float* weights;            // [kQueries, across]
};

template <int kBytes>
struct Numbers {
  using type __attribute__((vector_size(kBytes))) = float;
};

// out [kQueries, columns] = a [rows, kQueries]^T b [rows, columns], all columns in whole lanes.
// a(row, query) is a[row * a_row + query * a_query].
template <int kBytes>
[[gnu::always_inline]] inline void products(const float* a, std::size_t a_row, std::size_t a_query,
                                            const float* b, std::size_t rows, std::size_t columns,
                                            float* out) {
  using Some = typename Numbers<kBytes>::type;
  constexpr std::size_t kParts = kLanes * sizeof(float) / kBytes;
  for (std::size_t column = 0; column < columns; column += kLanes) {
    Some sums[kQueries][kParts] = {};
    for (std::size_t row = 0; row < rows; ++row) {
      Some right[kParts];  // one by one: a copy of all goes through memory
#pragma GCC unroll 4
      for (std::size_t part = 0; part < kParts; ++part) {
        std::memcpy(&right[part], b + row * columns + column + part * kLanes / kParts,
                    sizeof(Some));
      }
#pragma GCC unroll 4
      for (std::size_t query = 0; query < kQueries; ++query) {
        const float left = a[row * a_row + query * a_query];
#pragma GCC unroll 4
        for (std::size_t part = 0; part < kParts; ++part) sums[query][part] += left * right[part];
      }
    }
    for (std::size_t query = 0; query < kQueries; ++query) {
      std::memcpy(out + query * columns + column, sums[query], sizeof sums[query]);
    }
  }
}

// The first `seen` of `count` scores become e^(score - the largest), the rest 0. Returns their sum.
[[gnu::always_inline]] inline float exponents(float* scores, std::size_t seen, std::size_t count) {
  float most = scores[0];
  for (std::size_t i = 1; i < seen; ++i) most = scores[i] > most ? scores[i] : most;
  for (std::size_t i = 0; i < count; ++i) {
    const float power = quick_exp(scores[i] - most);
    scores[i] = i < seen ? power : 0.0F;
  }
  float lanes[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += scores[i + lane];
  }
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

struct AttendHead {
  template <int kBytes>
  [[gnu::always_inline]] static void run(const AttentionInput& input, const Head& head,
                                         std::size_t first, float* out, float* rows) {
    const std::size_t count = std::min(kQueries, input.query_count - first);
    const float scale = 1.0F / std::sqrt(static_cast<float>(head.size));
    for (std::size_t i = 0; i < head.size; ++i) {
      for (std::size_t query = 0; query < kQueries; ++query) {
        const std::size_t row = first + std::min(query, count - 1);
        head.queries[i * kQueries + query] = scale * input.queries[row * input.query_stride + i];
      }
    }
    products<kBytes>(head.queries, kQueries, 1, head.keys, head.size, head.across, head.weights);
    float sums[kQueries];
    for (std::size_t query = 0; query < kQueries; ++query) {
      const std::size_t row = first + std::min(query, count - 1);
      const std::size_t seen =
          input.causal ? std::min(head.length, input.first + row + 1) : head.length;
      sums[query] = exponents(head.weights + query * head.across, seen, head.across);
    }
    products<kBytes>(head.weights, 1, head.across, head.values, head.length, head.wide, rows);
    for (std::size_t query = 0; query < count; ++query) {
      for (std::size_t i = 0; i < head.size; ++i) {
        out[(first + query) * input.width + i] = rows[query * head.wide + i] / sums[query];
      }
    }
  }
};

}  // namespace

void self_attention(const AttentionInput& input, float* out, std::vector<float>& scratch) {
  Head head{};
  head.size = input.width / input.heads;
  head.length = input.length;
  head.wide = whole_lanes(head.size);
  head.across = whole_lanes(head.length);
  const std::size_t keys = head.size * head.across, values = head.length * head.wide;
  const std::size_t queries = head.size * kQueries, weights = kQueries * head.across;
  scratch.assign(keys + values + queries + weights + kQueries * head.wide, 0.0F);
  head.keys = scratch.data();
  head.values = head.keys + keys;
  head.queries = head.values + values;
  head.weights = head.queries + queries;
  float* rows = head.weights + weights;
  AttentionInput part = input;
  for (std::size_t number = 0; number < input.heads; ++number) {
    const std::size_t from = number * head.size;
    for (std::size_t row = 0; row < head.length; ++row) {
      const float* const key = input.keys + row * input.stride + from;
      for (std::size_t i = 0; i < head.size; ++i) head.keys[i * head.across + row] = key[i];
      std::copy_n(input.values + row * input.stride + from, head.size,
                  head.values + row * head.wide);
    }
    part.queries = input.queries + from;
    float* to = out + from;
    for (std::size_t first = 0; first < input.query_count; first += kQueries) {
      at_register_width<AttendHead>(part, head, first, to, rows);
    }
  }
}

}  // namespace hinny
