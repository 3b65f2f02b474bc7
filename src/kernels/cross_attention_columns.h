// What attention reads and writes, as one register's lanes see it.
#pragma once

#include "kernels/cross_attention_lanes.h"

namespace hinny {

template <typename T, int kWide>
struct AttentionColumns {
  using Vector = Wide<T, kWide>;
  using Rows = Column<T, kWide>;

  // The lanes [first, first + kWide).
  AttentionColumns(const AttentionLanes<T>& lanes, AttentionScratch<T>& scratch, int first)
      : queries(lanes.queries),
        context(lanes.context),
        query_step(lanes.query_step),
        context_step(lanes.context_step),
        products(lanes.products, first),
        gram(lanes.gram, first),
        squares(lanes.squares, first),
        context_factors(lanes.context_factors, first),
        query_factors(lanes.query_factors, first),
        weights(scratch.weights.data(), first),
        sums(scratch.sums.data(), first),
        dots(scratch.dots.data(), first),
        norms(scratch.norms.data(), first),
        lengths(scratch.lengths.data(), first),
        cosines(scratch.cosines.data(), first),
        shift(scratch.shift.data(), first),
        scale(scratch.scale.data(), first),
        pooling(scratch.pooling.data(), first),
        direct(scratch.direct.data(), first),
        seen(scratch.seen.data(), first) {}

  std::int64_t queries, context, query_step, context_step;
  Rows products, gram, squares, context_factors, query_factors;
  Rows weights, sums, dots, norms, lengths, cosines, shift, scale, pooling, direct, seen;
};

// x = max(x, slope x)
template <typename Vector, typename T>
[[gnu::always_inline]] inline void clip(Vector& x, T slope) {
  const Vector less = x * slope;
  take_greater(x, less);
}

}  // namespace hinny
