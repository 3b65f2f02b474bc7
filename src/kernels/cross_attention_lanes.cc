#include "kernels/cross_attention_lanes.h"

#include <algorithm>
#include <limits>

#include "base/every_processor.h"

namespace hinny {
namespace {

template <typename T>
constexpr T kLowest = std::numeric_limits<T>::lowest();

// The norm of each context vector's products: shift and scale such that what comes out is
// clip(s) scale, or e^(s - shift) scale for a softmax.
template <typename T>
[[gnu::always_inline]] inline void measure(AttentionNorm norm, T slope, const AttentionLanes<T>& a,
                                           AttentionScratch<T>& scratch) {
  Lanes<T>*shift = scratch.shift.data(), *scale = scratch.scale.data();
  for (std::int64_t c = 0; c < a.context; ++c) {
    const Lanes<T>* s = a.products + c * a.context_step;
    Lanes<T> sum = {};
    if (norm == AttentionNorm::softmax) {
      Lanes<T> most = Lanes<T>{} + kLowest<T>;
      for (std::int64_t q = 0; q < a.queries; ++q) keep_greater<T>(most, s[q * a.query_step]);
      for (std::int64_t q = 0; q < a.queries; ++q) {
        Lanes<T> x = s[q * a.query_step];
        exponentiate<T>(&x, 1, most);
        sum += x;
      }
      shift[c] = most;
      scale[c] = 1 / sum;
    } else if (norm == AttentionNorm::l2 || norm == AttentionNorm::clipped_l2) {
      for (std::int64_t q = 0; q < a.queries; ++q) {
        Lanes<T> x = s[q * a.query_step];
        clip<T>(x, slope);
        sum += x * x;
      }
      scale[c] = sum;
    } else {
      scale[c] = sum + 1;
    }
  }
  if (norm == AttentionNorm::l2 || norm == AttentionNorm::clipped_l2) {
    square_root<T>(scale, a.context);
    for (std::int64_t c = 0; c < a.context; ++c) scale[c] = 1 / (scale[c] + T(kNoNorm));
  }
}

// One query's weights over the context, and the product with what it then sees.
template <typename T>
[[gnu::always_inline]] inline void weigh(const CrossAttention& attention, T slope,
                                         const AttentionLanes<T>& a, std::int64_t q,
                                         AttentionScratch<T>& scratch) {
  const Lanes<T>*shift = scratch.shift.data(), *scale = scratch.scale.data();
  const Lanes<T>* s = a.products + q * a.query_step;
  Lanes<T>* weights = scratch.weights.data() + q * a.context;
  const T sharpness = static_cast<T>(attention.lambda_softmax);
  Lanes<T> most = Lanes<T>{} + kLowest<T>;
  for (std::int64_t c = 0; c < a.context; ++c) {
    Lanes<T> x = s[c * a.context_step];
    if (attention.norm == AttentionNorm::softmax) {
      exponentiate<T>(&x, 1, shift[c]);
    } else {
      clip<T>(x, slope);
    }
    x *= scale[c] * sharpness;
    keep_greater<T>(most, x);
    weights[c] = x;
  }
  exponentiate<T>(weights, a.context, most);
  Lanes<T> sum = {}, dot = {};
  for (std::int64_t c = 0; c < a.context; ++c) {
    sum += weights[c];
    dot += weights[c] * s[c * a.context_step];
  }
  scratch.sums.data()[q] = sum;
  scratch.dots.data()[q] = dot / sum;
}

// |attended|^2 sum^2 = w^T G w of kQueries queries: G, the larger, is read once for all of them.
template <typename T, int kQueries>
[[gnu::always_inline]] inline void form(const AttentionLanes<T>& a, const Lanes<T>* weights,
                                        Lanes<T>* forms) {
  Lanes<T> total[kQueries] = {};
  for (std::int64_t i = 0; i < a.context; ++i) {
    Lanes<T> row[kQueries] = {};
    const Lanes<T>* gram = a.gram + i * a.context;
    for (std::int64_t j = 0; j < i; ++j) {
      const Lanes<T> g = gram[j];
#pragma GCC unroll 4
      for (int k = 0; k < kQueries; ++k) row[k] += g * weights[k * a.context + j];
    }
#pragma GCC unroll 4
    for (int k = 0; k < kQueries; ++k) {
      const Lanes<T> w = weights[k * a.context + i];
      total[k] += w * (2 * row[k] + gram[i] * w);
    }
  }
  std::copy_n(total, kQueries, forms);
}

template <typename T>
[[gnu::always_inline]] inline void forms_of(const AttentionLanes<T>& a, const Lanes<T>* weights,
                                            Lanes<T>* forms) {
  constexpr int kAtOnce = 4;
  if (a.queries < kAtOnce) {
    for (std::int64_t q = 0; q < a.queries; ++q) {
      form<T, 1>(a, weights + q * a.context, forms + q);
    }
    return;
  }
  for (std::int64_t q = 0; q < a.queries; q += kAtOnce) {  // the last four overlap those before
    const std::int64_t first = std::min(q, a.queries - kAtOnce);
    form<T, kAtOnce>(a, weights + first * a.context, forms + first);
  }
}

template <typename T>
[[gnu::always_inline]] inline void compare(const AttentionLanes<T>& a,
                                           AttentionScratch<T>& scratch) {
  Lanes<T>*norms = scratch.norms.data(), *lengths = scratch.lengths.data();
  forms_of(a, scratch.weights.data(), norms);
  for (std::int64_t q = 0; q < a.queries; ++q) {
    keep_greater<T>(norms[q], Lanes<T>{});  // rounding may leave less than 0
    lengths[q] = a.squares[q];
  }
  square_root<T>(norms, a.queries);
  square_root<T>(lengths, a.queries);
  for (std::int64_t q = 0; q < a.queries; ++q) {
    norms[q] /= scratch.sums.data()[q];
    Lanes<T> both = norms[q] * lengths[q];
    keep_greater<T>(both, Lanes<T>{} + T(kNoNorm));
    scratch.cosines.data()[q] = scratch.dots.data()[q] / both;
  }
}

template <typename T>
[[gnu::always_inline]] inline void pool(const CrossAttention& attention, const AttentionLanes<T>& a,
                                        AttentionScratch<T>& scratch, T* scores) {
  const Lanes<T>* cosines = scratch.cosines.data();
  Lanes<T>* pooling = scratch.pooling.data();
  const T lambda = static_cast<T>(attention.lambda_lse), count = static_cast<T>(a.queries);
  const bool mean = attention.pooling == AttentionPooling::mean;
  Lanes<T> result[2] = {Lanes<T>{}, Lanes<T>{} + kLowest<T>};
  auto& [sum, most] = result;
  if (mean) {
    for (std::int64_t q = 0; q < a.queries; ++q) sum += cosines[q];
    std::fill_n(pooling, a.queries, Lanes<T>{} + 1);
  } else {
    for (std::int64_t q = 0; q < a.queries; ++q) keep_greater<T>(most, cosines[q]);
    for (std::int64_t q = 0; q < a.queries; ++q) pooling[q] = (cosines[q] - most) * lambda;
    exponentiate<T>(pooling, a.queries, Lanes<T>{});
    for (std::int64_t q = 0; q < a.queries; ++q) sum += pooling[q];
  }
  const T* sums = reinterpret_cast<const T*>(&sum);
  const T* greatest = reinterpret_cast<const T*>(&most);
  for (int lane = 0; lane < kLanes; ++lane) {
    scores[lane] = mean ? sums[lane] / count : greatest[lane] + std::log(sums[lane]) / lambda;
  }
}

template <typename T>
[[gnu::always_inline]] inline void attend_any(const CrossAttention& attention,
                                              const AttentionLanes<T>& a,
                                              AttentionScratch<T>& scratch, T* scores) {
  const T slope = slope_of<T>(attention.norm);
  measure(attention.norm, slope, a, scratch);
  for (std::int64_t q = 0; q < a.queries; ++q) weigh(attention, slope, a, q, scratch);
  compare(a, scratch);
  pool(attention, a, scratch, scores);
}

}  // namespace

// The functions that exist once per kind of processor cannot be templates.
HINNY_EVERY_PROCESSOR
void attend(const CrossAttention& attention, const AttentionLanes<float>& lanes,
            AttentionScratch<float>& scratch, float* scores) {
  attend_any(attention, lanes, scratch, scores);
}
HINNY_EVERY_PROCESSOR
void attend(const CrossAttention& attention, const AttentionLanes<double>& lanes,
            AttentionScratch<double>& scratch, double* scores) {
  attend_any(attention, lanes, scratch, scores);
}

}  // namespace hinny
