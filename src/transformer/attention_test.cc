#include "transformer/attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace hinny {
namespace {

std::vector<float> drawn(std::size_t count) {
  Random random(count);
  std::vector<float> result(count);
  for (float& number : result) number = static_cast<float>(random.below(4001)) / 1000.0F - 2.0F;
  return result;
}

// By the formula, in double precision.
std::vector<double> by_hand(const AttentionInput& in) {
  const std::size_t size = in.width / in.heads;
  std::vector<double> out(in.query_count * in.width);
  for (std::size_t head = 0; head < in.heads; ++head) {
    for (std::size_t q = 0; q < in.query_count; ++q) {
      const std::size_t seen = in.causal ? in.first + q + 1 : in.length;
      std::vector<double> weights(seen);
      double sum = 0;
      for (std::size_t k = 0; k < seen; ++k) {
        double product = 0;
        for (std::size_t i = head * size; i < (head + 1) * size; ++i) {
          product +=
              static_cast<double>(in.queries[q * in.query_stride + i]) * in.keys[k * in.stride + i];
        }
        weights[k] = std::exp(product / std::sqrt(static_cast<double>(size)));
        sum += weights[k];
      }
      for (std::size_t k = 0; k < seen; ++k) {
        for (std::size_t i = head * size; i < (head + 1) * size; ++i) {
          out[q * in.width + i] += weights[k] / sum * in.values[k * in.stride + i];
        }
      }
    }
  }
  return out;
}

// Of lengths and heads that fill no register, and of one query that stands at the end.
TEST(SelfAttention, IsItsFormula) {
  std::vector<float> scratch;
  for (const std::size_t length : {1UL, 2UL, 5UL, 16UL, 50UL, 77UL}) {
    for (const std::size_t heads : {1UL, 2UL, 3UL}) {
      for (const bool causal : {false, true}) {
        for (const bool last : {false, true}) {
          const std::size_t width = heads * 20, stride = 3 * width + 1;
          const std::vector<float> rows = drawn(length * stride);
          AttentionInput in{.width = width,
                            .heads = heads,
                            .queries = rows.data(),
                            .query_stride = stride,
                            .query_count = length,
                            .keys = rows.data() + width,
                            .values = rows.data() + 2 * width,
                            .stride = stride,
                            .length = length,
                            .causal = causal};
          if (last) {
            in.queries += (length - 1) * stride;
            in.query_count = 1;
            in.first = length - 1;
          }
          std::vector<float> out(in.query_count * width);
          self_attention(in, out.data(), scratch);
          const std::vector<double> expected = by_hand(in);
          for (std::size_t i = 0; i < out.size(); ++i) {
            ASSERT_NEAR(out[i], expected[i], 1e-5) << length << " " << heads << " " << causal;
          }
        }
      }
    }
  }
}

// Scores that would overflow an exponential.
TEST(SelfAttention, LargeScoresChooseOne) {
  std::vector<float> rows(3 * 12, 0.0F), scratch;
  for (std::size_t row = 0; row < 3; ++row) {
    rows[row * 12] = 1000;                                // query
    rows[row * 12 + 4] = static_cast<float>(row) * 1000;  // key
    rows[row * 12 + 8] = static_cast<float>(row) + 1.0F;  // value
  }
  const AttentionInput in{.width = 4,
                          .heads = 1,
                          .queries = rows.data(),
                          .query_stride = 12,
                          .query_count = 3,
                          .keys = rows.data() + 4,
                          .values = rows.data() + 8,
                          .stride = 12,
                          .length = 3};
  std::vector<float> out(12);
  self_attention(in, out.data(), scratch);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_FLOAT_EQ(out[row * 4], 3);
}

}  // namespace
}  // namespace hinny
