// Scaled dot-product attention with several heads (Vaswani et al. 2017, Eq. 1).
#pragma once

#include <cstddef>
#include <vector>

namespace hinny {

// Of one sequence. Rows are `*_stride` numbers apart; a head has width / heads numbers of each, one
// after the other.
struct AttentionInput {
  std::size_t width = 0, heads = 0;
  const float* queries = nullptr;  // [query_count, width]
  std::size_t query_stride = 0, query_count = 0;
  const float* keys = nullptr;    // [length, width]
  const float* values = nullptr;  // [length, width], as far apart as keys
  std::size_t stride = 0, length = 0;
  // Query i sees keys 0 to first + i; else all.
  bool causal = false;
  std::size_t first = 0;
};

// out [query_count, width] =. On the calling thread; `scratch` keeps its memory from call to call.
void self_attention(const AttentionInput& input, float* out, std::vector<float>& scratch);

}  // namespace hinny
