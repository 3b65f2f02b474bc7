// The way back through cross_attention_lanes.cc: from the scores' gradients to the products'.
#include <type_traits>

#include "base/every_processor.h"
#include "kernels/cross_attention_lanes.h"

namespace hinny {
namespace {

// Each cosine's share in the gradient of the score.
template <typename T>
[[gnu::always_inline]] inline void spread(const AttentionLanes<T>& a, AttentionScratch<T>& scratch,
                                          const T* score_gradients) {
  Lanes<T>* pooling = scratch.pooling.data();
  Lanes<T> sum = {}, given;
  for (int lane = 0; lane < kLanes; ++lane) given[lane] = score_gradients[lane];
  for (std::int64_t q = 0; q < a.queries; ++q) sum += pooling[q];
  given /= sum;
  for (std::int64_t q = 0; q < a.queries; ++q) pooling[q] *= given;
}

// From kQueries cosines to their products and, through the weights, to the normalised products,
// which take the weights' place.
template <typename T, int kQueries>
[[gnu::always_inline]] inline void open_queries(T sharpness, const AttentionLanes<T>& a,
                                                AttentionScratch<T>& scratch, std::int64_t first) {
  const std::int64_t n = a.context;
  Lanes<T>*weights = scratch.weights.data() + first * n, *seen = scratch.seen.data();
  Lanes<T> by_dot[kQueries], by_norm[kQueries], centre[kQueries];
  for (int k = 0; k < kQueries; ++k) {
    const std::int64_t q = first + k;
    const Lanes<T> gradient = scratch.pooling.data()[q], cosine = scratch.cosines.data()[q];
    const Lanes<T> norm = scratch.norms.data()[q], square = a.squares[q], none = {};
    const Lanes<T> both = scratch.lengths.data()[q] * norm;
    const auto directed = both > T(kNoNorm);
    by_dot[k] = gradient / (directed ? both : none + T(kNoNorm));
    by_norm[k] = directed ? -gradient * cosine / (norm * norm) : none;
    a.query_factors[q] += directed ? -gradient * cosine / square : none;
    centre[k] = by_dot[k] * scratch.dots.data()[q] + by_norm[k] * norm * norm;
    const Lanes<T> each = 1 / scratch.sums.data()[q];
    for (std::int64_t c = 0; c < n; ++c) weights[k * n + c] *= each;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    Lanes<T> row[kQueries] = {}, factor[kQueries];
#pragma GCC unroll 4
    for (int k = 0; k < kQueries; ++k) factor[k] = by_norm[k] * weights[k * n + i];
    for (std::int64_t j = 0; j < n; ++j) {
      const Lanes<T> g = a.gram[i * n + j];
#pragma GCC unroll 4
      for (int k = 0; k < kQueries; ++k) row[k] += g * weights[k * n + j];
    }
    for (std::int64_t j = 0; j <= i; ++j) {
      Lanes<T> f = a.context_factors[i * n + j];
#pragma GCC unroll 4
      for (int k = 0; k < kQueries; ++k) f += factor[k] * weights[k * n + j];
      a.context_factors[i * n + j] = f;
    }
    for (int k = 0; k < kQueries; ++k) seen[k * n + i] = row[k];
  }
  for (int k = 0; k < kQueries; ++k) {
    const Lanes<T>* s = a.products + (first + k) * a.query_step;
    Lanes<T>* direct = scratch.direct.data() + (first + k) * n;
    for (std::int64_t c = 0; c < n; ++c) {
      Lanes<T>& weight = weights[k * n + c];
      direct[c] = by_dot[k] * weight;
      weight *= (by_dot[k] * s[c * a.context_step] + by_norm[k] * seen[k * n + c] - centre[k]) *
                sharpness;
    }
  }
}

// From the normalised products, whose gradients stand in scratch.weights, to the products.
template <typename T>
[[gnu::always_inline]] inline void open_norm(AttentionNorm norm, const AttentionLanes<T>& a,
                                             AttentionScratch<T>& scratch) {
  const T slope = slope_of<T>(norm);
  const bool softmax = norm == AttentionNorm::softmax;
  const bool l2 = norm == AttentionNorm::l2 || norm == AttentionNorm::clipped_l2;
  const Lanes<T> none = {};
  for (std::int64_t c = 0; c < a.context; ++c) {
    Lanes<T>* s = a.products + c * a.context_step;
    const Lanes<T> scale = scratch.scale.data()[c], shift = scratch.shift.data()[c];
    const Lanes<T>* gradients = scratch.weights.data() + c;
    Lanes<T> dot = {}, pull = {};
    if (softmax || l2) {
      for (std::int64_t q = 0; q < a.queries; ++q) {
        Lanes<T> x = s[q * a.query_step];
        if (softmax) {
          exponentiate<T>(&x, 1, shift);
        } else {
          clip<T>(x, slope);
        }
        dot += gradients[q * a.context] * x * scale;
      }
      // d(x / (|x| + e)): along x, |x| / (|x| + e) of the product is lost.
      const Lanes<T> length = 1 / scale - T(kNoNorm);
      pull = softmax ? dot : (length > T(0) ? dot * scale / length : none);
    }
    for (std::int64_t q = 0; q < a.queries; ++q) {
      const Lanes<T> gradient = gradients[q * a.context];
      Lanes<T>& product = s[q * a.query_step];
      Lanes<T> x = product;
      if (softmax) {
        exponentiate<T>(&x, 1, shift);
        x *= scale * (gradient - pull);
      } else {
        clip<T>(x, slope);
        x = gradient * scale - x * pull;
        x = product > T(0) ? x : x * slope;
      }
      product = scratch.direct.data()[q * a.context + c] + x;
    }
  }
}

template <typename T>
[[gnu::always_inline]] inline void backward_any(const CrossAttention& attention,
                                                const AttentionLanes<T>& a,
                                                AttentionScratch<T>& scratch,
                                                const T* score_gradients) {
  spread(a, scratch, score_gradients);
  const T sharpness = static_cast<T>(attention.lambda_softmax);
  std::int64_t q = 0;
  for (; q + 4 <= a.queries; q += 4) open_queries<T, 4>(sharpness, a, scratch, q);
  for (; q < a.queries; ++q) open_queries<T, 1>(sharpness, a, scratch, q);
  open_norm(attention.norm, a, scratch);
}

}  // namespace

// The functions that exist once per kind of processor cannot be templates.
HINNY_EVERY_PROCESSOR
void attend_backward(const CrossAttention& attention, const AttentionLanes<float>& lanes,
                     AttentionScratch<float>& scratch, const float* score_gradients) {
  backward_any(attention, lanes, scratch, score_gradients);
}
HINNY_EVERY_PROCESSOR
void attend_backward(const CrossAttention& attention, const AttentionLanes<double>& lanes,
                     AttentionScratch<double>& scratch, const double* score_gradients) {
  backward_any(attention, lanes, scratch, score_gradients);
}

}  // namespace hinny
