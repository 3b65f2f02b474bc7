#include "kernels/cross_attention_lanes.h"

#include <algorithm>
#include <limits>

#include "base/every_processor.h"
#include "kernels/cross_attention_columns.h"

namespace hinny {
namespace {

template <typename T>
constexpr T kLowest = std::numeric_limits<T>::lowest();

// The norm of each context vector's products: shift and scale such that what comes out is
// clip(s) scale, or e^(s - shift) scale for a softmax.
template <typename T, int kWide>
[[gnu::always_inline]] inline void measure(AttentionNorm norm, T slope,
                                           const AttentionColumns<T, kWide>& a) {
  using Vector = Wide<T, kWide>;
  for (std::int64_t c = 0; c < a.context; ++c) {
    const auto s = a.products + c * a.context_step;
    Vector sum = {};
    if (norm == AttentionNorm::softmax) {
      Vector most = Vector{} + kLowest<T>;
      for (std::int64_t q = 0; q < a.queries; ++q) take_greater(most, s[q * a.query_step]);
      for (std::int64_t q = 0; q < a.queries; ++q) {
        Vector x = s[q * a.query_step];
        exponentiate<T, kWide>(x, most);
        sum += x;
      }
      a.shift[c] = most;
      a.scale[c] = 1 / sum;
    } else if (norm == AttentionNorm::l2 || norm == AttentionNorm::clipped_l2) {
      for (std::int64_t q = 0; q < a.queries; ++q) {
        Vector x = s[q * a.query_step];
        clip(x, slope);
        sum += x * x;
      }
      a.scale[c] = sum;
    } else {
      a.scale[c] = sum + 1;
    }
  }
  if (norm == AttentionNorm::l2 || norm == AttentionNorm::clipped_l2) {
    square_root(a.scale, a.context);
    for (std::int64_t c = 0; c < a.context; ++c) a.scale[c] = 1 / (a.scale[c] + T(kNoNorm));
  }
}

// One query's weights over the context, and the product with what it then sees.
template <typename T, int kWide>
[[gnu::always_inline]] inline void weigh(const CrossAttention& attention, T slope,
                                         const AttentionColumns<T, kWide>& a, std::int64_t q) {
  using Vector = Wide<T, kWide>;
  const auto s = a.products + q * a.query_step;
  const auto weights = a.weights + q * a.context;
  const T sharpness = static_cast<T>(attention.lambda_softmax);
  Vector most = Vector{} + kLowest<T>;
  for (std::int64_t c = 0; c < a.context; ++c) {
    Vector x = s[c * a.context_step];
    if (attention.norm == AttentionNorm::softmax) {
      exponentiate<T, kWide>(x, a.shift[c]);
    } else {
      clip(x, slope);
    }
    x *= a.scale[c] * sharpness;
    take_greater(most, x);
    weights[c] = x;
  }
  exponentiate<T, kWide>(weights, a.context, most);
  Vector sum = {}, dot = {};
  for (std::int64_t c = 0; c < a.context; ++c) {
    sum += weights[c];
    dot += weights[c] * s[c * a.context_step];
  }
  a.sums[q] = sum;
  a.dots[q] = dot / sum;
}

// |attended|^2 sum^2 = w^T G w of kQueries queries: G, the larger, is read once for all of them.
template <int kQueries, typename T, int kWide>
[[gnu::always_inline]] inline void form(const AttentionColumns<T, kWide>& a, std::int64_t first) {
  using Vector = Wide<T, kWide>;
  const auto weights = a.weights + first * a.context;
  Vector total[kQueries] = {};
  for (std::int64_t i = 0; i < a.context; ++i) {
    Vector row[kQueries] = {};
    const auto gram = a.gram + i * a.context;
    for (std::int64_t j = 0; j < i; ++j) {
      const Vector g = gram[j];
#pragma GCC unroll 4
      for (int k = 0; k < kQueries; ++k) row[k] += g * weights[k * a.context + j];
    }
#pragma GCC unroll 4
    for (int k = 0; k < kQueries; ++k) {
      const Vector w = weights[k * a.context + i];
      total[k] += w * (2 * row[k] + gram[i] * w);
    }
  }
  for (int k = 0; k < kQueries; ++k) a.norms[first + k] = total[k];
}

template <typename T, int kWide>
[[gnu::always_inline]] inline void forms_of(const AttentionColumns<T, kWide>& a) {
  constexpr int kAtOnce = 4;
  if (a.queries < kAtOnce) {
    for (std::int64_t q = 0; q < a.queries; ++q) form<1>(a, q);
    return;
  }
  for (std::int64_t q = 0; q < a.queries; q += kAtOnce) {  // the last four overlap those before
    form<kAtOnce>(a, std::min(q, a.queries - kAtOnce));
  }
}

template <typename T, int kWide>
[[gnu::always_inline]] inline void compare(const AttentionColumns<T, kWide>& a) {
  using Vector = Wide<T, kWide>;
  const Vector none = {}, least = none + T(kNoNorm);
  forms_of(a);
  for (std::int64_t q = 0; q < a.queries; ++q) {
    take_greater(a.norms[q], none);  // rounding may leave less than 0
    a.lengths[q] = a.squares[q];
  }
  square_root(a.norms, a.queries);
  square_root(a.lengths, a.queries);
  for (std::int64_t q = 0; q < a.queries; ++q) {
    a.norms[q] /= a.sums[q];
    Vector both = a.norms[q] * a.lengths[q];
    take_greater(both, least);
    a.cosines[q] = a.dots[q] / both;
  }
}

template <typename T, int kWide>
[[gnu::always_inline]] inline void pool(const CrossAttention& attention,
                                        const AttentionColumns<T, kWide>& a, T* scores) {
  using Vector = Wide<T, kWide>;
  const T lambda = static_cast<T>(attention.lambda_lse), count = static_cast<T>(a.queries);
  const bool mean = attention.pooling == AttentionPooling::mean;
  const Vector none = {};
  Vector sum = none, most = none + kLowest<T>;
  if (mean) {
    for (std::int64_t q = 0; q < a.queries; ++q) sum += a.cosines[q];
    for (std::int64_t q = 0; q < a.queries; ++q) a.pooling[q] = none + 1;
  } else {
    for (std::int64_t q = 0; q < a.queries; ++q) take_greater(most, a.cosines[q]);
    for (std::int64_t q = 0; q < a.queries; ++q) a.pooling[q] = (a.cosines[q] - most) * lambda;
    exponentiate<T, kWide>(a.pooling, a.queries, none);
    for (std::int64_t q = 0; q < a.queries; ++q) sum += a.pooling[q];
  }
  for (int lane = 0; lane < kWide; ++lane) {
    scores[lane] = mean ? sum[lane] / count : most[lane] + std::log(sum[lane]) / lambda;
  }
}

struct Attend {
  template <int kBytes, typename T>
  [[gnu::always_inline]] static void run(const CrossAttention& attention,
                                         const AttentionLanes<T>& lanes,
                                         AttentionScratch<T>& scratch, T* scores) {
    constexpr int kWide = kBytes / sizeof(T);
    const T slope = slope_of<T>(attention.norm);
    for (int first = 0; first < kLanes; first += kWide) {
      const AttentionColumns<T, kWide> a(lanes, scratch, first);
      measure(attention.norm, slope, a);
      for (std::int64_t q = 0; q < a.queries; ++q) weigh(attention, slope, a, q);
      compare(a);
      pool(attention, a, scores + first);
    }
  }
};

}  // namespace

void attend(const CrossAttention& attention, const AttentionLanes<float>& lanes,
            AttentionScratch<float>& scratch, float* scores) {
  at_register_width<Attend>(attention, lanes, scratch, scores);
}
void attend(const CrossAttention& attention, const AttentionLanes<double>& lanes,
            AttentionScratch<double>& scratch, double* scores) {
  at_register_width<Attend>(attention, lanes, scratch, scores);
}

}  // namespace hinny
