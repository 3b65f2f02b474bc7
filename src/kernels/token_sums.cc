#include "kernels/token_sums.h"

#include <algorithm>

#include "base/every_processor.h"
#include "base/threads.h"

namespace hinny {
namespace {

template <typename T>
[[gnu::always_inline]] inline void add(const T* from, std::int64_t count, Sum<T>* to) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) to[i] += to_float(from[i]);
}

template <typename T>
[[gnu::always_inline]] inline void add_tokens(const Columns<T>& columns,
                                              std::span<const std::int32_t> word_of, Sum<T>* sums,
                                              std::int64_t stride) {
  const T* row = columns.rows + columns.first;
  for (const std::int32_t word : word_of) {
    add(row, columns.count, sums + word * stride);
    row += columns.stride;
  }
}

}  // namespace

template <typename T>
void add_by_word(Columns<T> columns, std::span<const std::int32_t> word_of, Sum<T>* sums,
                 std::int64_t stride) {
  constexpr std::int64_t kBlock = 256;  // columns: whole cache lines, no two threads on one
  const auto blocks = static_cast<std::size_t>((columns.count + kBlock - 1) / kBlock);
  parallel_blocks(blocks, [&](std::size_t begin, std::size_t end) {
    const std::int64_t first = static_cast<std::int64_t>(begin) * kBlock;
    Columns<T> part = columns;
    part.first += first;
    part.count = std::min(static_cast<std::int64_t>(end) * kBlock, columns.count) - first;
    on_this_processor<add_tokens<T>>(part, word_of, sums + first, stride);
  });
}

template void add_by_word(Columns<float>, std::span<const std::int32_t>, float*, std::int64_t);
template void add_by_word(Columns<BFloat16>, std::span<const std::int32_t>, float*, std::int64_t);
template void add_by_word(Columns<double>, std::span<const std::int32_t>, double*, std::int64_t);

}  // namespace hinny
