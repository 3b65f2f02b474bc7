// The way back through cross_attention_lanes.cc: from the scores' gradients to the products'.
#include "base/every_processor.h"
#include "kernels/cross_attention_columns.h"

namespace hinny {
namespace {

// Each cosine's share in the gradient of the score.
template <typename T, int kWide>
[[gnu::always_inline]] inline void spread(const AttentionColumns<T, kWide>& a,
                                          const T* score_gradients) {
  Wide<T, kWide> sum = {}, given = {};
  for (int lane = 0; lane < kWide; ++lane) given[lane] = score_gradients[lane];
  for (std::int64_t q = 0; q < a.queries; ++q) sum += a.pooling[q];
  given /= sum;
  for (std::int64_t q = 0; q < a.queries; ++q) a.pooling[q] *= given;
}

// From kQueries cosines to their products and, through the weights, to the normalised products,
// which take the weights' place.
template <int kQueries, typename T, int kWide>
[[gnu::always_inline]] inline void open_queries(T sharpness, const AttentionColumns<T, kWide>& a,
                                                std::int64_t first) {
  using Vector = Wide<T, kWide>;
  const std::int64_t n = a.context;
  const auto weights = a.weights + first * n;
  Vector by_dot[kQueries], by_norm[kQueries], centre[kQueries];
  for (int k = 0; k < kQueries; ++k) {
    const std::int64_t q = first + k;
    const Vector gradient = a.pooling[q], cosine = a.cosines[q];
    const Vector norm = a.norms[q], square = a.squares[q], none = {};
    const Vector both = a.lengths[q] * norm;
    const auto directed = both > T(kNoNorm);
    by_dot[k] = gradient / (directed ? both : none + T(kNoNorm));
    by_norm[k] = directed ? -gradient * cosine / (norm * norm) : none;
    a.query_factors[q] += directed ? -gradient * cosine / square : none;
    centre[k] = by_dot[k] * a.dots[q] + by_norm[k] * norm * norm;
    const Vector each = 1 / a.sums[q];
    for (std::int64_t c = 0; c < n; ++c) weights[k * n + c] *= each;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    Vector row[kQueries] = {}, factor[kQueries];
#pragma GCC unroll 4
    for (int k = 0; k < kQueries; ++k) factor[k] = by_norm[k] * weights[k * n + i];
    for (std::int64_t j = 0; j < n; ++j) {
      const Vector g = a.gram[i * n + j];
#pragma GCC unroll 4
      for (int k = 0; k < kQueries; ++k) row[k] += g * weights[k * n + j];
    }
    for (std::int64_t j = 0; j <= i; ++j) {
      Vector f = a.context_factors[i * n + j];
#pragma GCC unroll 4
      for (int k = 0; k < kQueries; ++k) f += factor[k] * weights[k * n + j];
      a.context_factors[i * n + j] = f;
    }
    for (int k = 0; k < kQueries; ++k) a.seen[k * n + i] = row[k];
  }
  for (int k = 0; k < kQueries; ++k) {
    const auto s = a.products + (first + k) * a.query_step;
    const auto direct = a.direct + (first + k) * n;
    for (std::int64_t c = 0; c < n; ++c) {
      Vector& weight = weights[k * n + c];
      direct[c] = by_dot[k] * weight;
      weight *= (by_dot[k] * s[c * a.context_step] + by_norm[k] * a.seen[k * n + c] - centre[k]) *
                sharpness;
    }
  }
}

// From the normalised products, whose gradients stand in the weights' place, to the products.
template <typename T, int kWide>
[[gnu::always_inline]] inline void open_norm(AttentionNorm norm,
                                             const AttentionColumns<T, kWide>& a) {
  using Vector = Wide<T, kWide>;
  const T slope = slope_of<T>(norm);
  const bool softmax = norm == AttentionNorm::softmax;
  const bool l2 = norm == AttentionNorm::l2 || norm == AttentionNorm::clipped_l2;
  const Vector none = {};
  for (std::int64_t c = 0; c < a.context; ++c) {
    const auto s = a.products + c * a.context_step;
    const Vector scale = a.scale[c], shift = a.shift[c];
    const auto gradients = a.weights + c;
    Vector dot = {}, pull = {};
    if (softmax || l2) {
      for (std::int64_t q = 0; q < a.queries; ++q) {
        Vector x = s[q * a.query_step];
        if (softmax) {
          exponentiate<T, kWide>(x, shift);
        } else {
          clip(x, slope);
        }
        dot += gradients[q * a.context] * x * scale;
      }
      // d(x / (|x| + e)): along x, |x| / (|x| + e) of the product is lost.
      const Vector length = 1 / scale - T(kNoNorm);
      pull = softmax ? dot : (length > T(0) ? dot * scale / length : none);
    }
    for (std::int64_t q = 0; q < a.queries; ++q) {
      const Vector gradient = gradients[q * a.context];
      Vector& product = s[q * a.query_step];
      Vector x = product;
      if (softmax) {
        exponentiate<T, kWide>(x, shift);
        x *= scale * (gradient - pull);
      } else {
        clip(x, slope);
        x = gradient * scale - x * pull;
        x = product > T(0) ? x : x * slope;
      }
      product = a.direct[q * a.context + c] + x;
    }
  }
}

struct AttendBackward {
  template <int kBytes, typename T>
  [[gnu::always_inline]] static void run(const CrossAttention& attention,
                                         const AttentionLanes<T>& lanes,
                                         AttentionScratch<T>& scratch, const T* score_gradients) {
    constexpr int kWide = kBytes / sizeof(T);
    const T sharpness = static_cast<T>(attention.lambda_softmax);
    for (int first = 0; first < kLanes; first += kWide) {
      const AttentionColumns<T, kWide> a(lanes, scratch, first);
      spread(a, score_gradients + first);
      std::int64_t q = 0;
      for (; q + 4 <= a.queries; q += 4) open_queries<4>(sharpness, a, q);
      for (; q < a.queries; ++q) open_queries<1>(sharpness, a, q);
      open_norm(attention.norm, a);
    }
  }
};

}  // namespace

void attend_backward(const CrossAttention& attention, const AttentionLanes<float>& lanes,
                     AttentionScratch<float>& scratch, const float* score_gradients) {
  at_register_width<AttendBackward>(attention, lanes, scratch, score_gradients);
}
void attend_backward(const CrossAttention& attention, const AttentionLanes<double>& lanes,
                     AttentionScratch<double>& scratch, const double* score_gradients) {
  at_register_width<AttendBackward>(attention, lanes, scratch, score_gradients);
}

}  // namespace hinny
