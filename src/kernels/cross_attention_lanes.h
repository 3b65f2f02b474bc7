// Cross attention of one caption with sixteen images, side by side in the lanes: what
// cross_attention.cc calls for each caption of a block of products.
#pragma once

#include "kernels/cross_attention.h"
#include "kernels/lanes.h"

namespace hinny {

// Queries and context are the caption's words and the images' regions, or the other way round.
template <typename T>
struct AttentionLanes {
  std::int64_t queries = 0, context = 0;
  // Query q and context vector c: products[q * query_step + c * context_step].
  std::int64_t query_step = 0, context_step = 0;
  Lanes<T>* products = nullptr;       // backward turns them into their gradients
  const Lanes<T>* gram = nullptr;     // [context, context]; forward reads the lower triangle alone
  const Lanes<T>* squares = nullptr;  // [queries] |q|^2

  // What the cosines' norms contribute is a multiple of the vectors themselves. Backward adds the
  // factors: context gradient += F context, F symmetric; query gradient += f query.
  Lanes<T>* context_factors = nullptr;  // [context, context], lower triangle
  Lanes<T>* query_factors = nullptr;    // [queries]
};

// Memory for captions and regions of any number up to these, and what forward leaves for backward.
template <typename T>
struct AttentionScratch {
  AttentionScratch(std::int64_t queries, std::int64_t context, bool backward)
      : weights(queries * context),
        sums(queries),
        dots(queries),
        norms(queries),
        lengths(queries),
        cosines(queries),
        shift(context),
        scale(context),
        pooling(queries),
        direct(backward ? queries * context : 0),
        seen(backward ? 4 * context : 0) {}

  LaneArray<T> weights;       // [queries, context] softmax weights; their sum is not 1 but `sums`
  LaneArray<T> sums;          // [queries]
  LaneArray<T> dots;          // [queries] query . attended
  LaneArray<T> norms;         // [queries] |attended|
  LaneArray<T> lengths;       // [queries] |query|
  LaneArray<T> cosines;       // [queries]
  LaneArray<T> shift, scale;  // [context] of the normalisation
  LaneArray<T> pooling;       // [queries] what each cosine adds to the pool; then its gradient
  LaneArray<T> direct;        // [queries, context] the part of the gradient that skips the softmax
  LaneArray<T> seen;          // [4, context] Gram matrix x weights
};

// The public code's: below it a norm counts as no direction.
constexpr double kNoNorm = 1e-8;

// Of the leaky ReLU; 1 where there is none.
template <typename T>
constexpr T slope_of(AttentionNorm norm) {
  const bool clips = norm == AttentionNorm::clipped || norm == AttentionNorm::clipped_l2;
  return clips ? T(0.1) : T(1);
}

// scores [16]. At least one query and one context vector.
void attend(const CrossAttention& attention, const AttentionLanes<float>& lanes,
            AttentionScratch<float>& scratch, float* scores);
void attend(const CrossAttention& attention, const AttentionLanes<double>& lanes,
            AttentionScratch<double>& scratch, double* scores);

// After attend with the same arguments. score_gradients [16]
void attend_backward(const CrossAttention& attention, const AttentionLanes<float>& lanes,
                     AttentionScratch<float>& scratch, const float* score_gradients);
void attend_backward(const CrossAttention& attention, const AttentionLanes<double>& lanes,
                     AttentionScratch<double>& scratch, const double* score_gradients);

}  // namespace hinny
