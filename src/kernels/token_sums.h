// Sums over the tokens of a batch.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/number.h"

namespace hinny {

// Columns [first, first + count) of `rows` [tokens, stride].
template <typename T>
struct Columns {
  const T* rows = nullptr;
  std::int64_t stride = 0, first = 0, count = 0;
};

// sums[word_of[t], 0..count) += the columns of token t; `sums` has `stride` numbers a row. The
// order of additions is that of the tokens, on any number of threads.
template <typename T>
void add_by_word(Columns<T> columns, std::span<const std::int32_t> word_of, Sum<T>* sums,
                 std::int64_t stride);

}  // namespace hinny
