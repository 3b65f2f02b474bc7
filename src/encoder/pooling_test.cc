// Rows of a group as one, each as its definition says, in double.
#include "encoder/pooling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.h"
#include "base/safetensors.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

constexpr std::size_t kPools = 3, kPooled = 4, kPooledSize = 5;
using PooledNumbers = std::vector<double>;

class PoolingTest : public testing::Test {
 protected:
  PoolingTest() {
    for (float& number : rows_) number = drawn();
  }
  float drawn() { return static_cast<float>(random_.uniform(-1, 1)); }
  void add(const std::string& name, std::vector<std::int64_t> shape, float times = 1) {
    std::size_t size = 1;
    for (const std::int64_t side : shape) size *= static_cast<std::size_t>(side);
    shapes_[name] = std::move(shape);
    for (std::size_t i = 0; i < size; ++i) tensors_[name].push_back(times * drawn());
  }
  void add_linear(const std::string& prefix, std::int64_t output) {
    add(prefix + ".weight", {output, kPooledSize});
    add(prefix + ".bias", {output});
  }
  Weights weights() const {
    std::map<std::string, TensorView> views;
    for (const auto& [name, numbers] : tensors_) {
      views[name] = {TensorType::float32, shapes_.at(name), std::as_bytes(std::span(numbers))};
    }
    write_safetensors(folder_ / "weights", views);
    return Weights(folder_ / "weights");
  }
  // W x + b
  PooledNumbers linear(const std::string& prefix, const PooledNumbers& x) const {
    PooledNumbers y;
    const std::vector<float>& bias = tensors_.at(prefix + ".bias");
    for (std::size_t o = 0; o < bias.size(); ++o) {
      y.push_back(static_cast<double>(bias[o]));
      for (std::size_t i = 0; i < kPooledSize; ++i) {
        y[o] += static_cast<double>(tensors_.at(prefix + ".weight")[o * kPooledSize + i]) * x[i];
      }
    }
    return y;
  }
  PooledNumbers squashed(const std::string& prefix, const PooledNumbers& x) const {
    PooledNumbers y = linear(prefix, x);
    for (double& number : y) number = std::tanh(number);
    return y;
  }
  PooledNumbers row(std::size_t group, std::size_t item) const {
    const auto at =
        rows_.begin() + static_cast<std::ptrdiff_t>((group * kPooled + item) * kPooledSize);
    return {at, at + kPooledSize};
  }
  PooledNumbers sum_of(std::size_t group, const PooledNumbers& shares) const {
    PooledNumbers sum(kPooledSize);
    for (std::size_t item = 0; item < kPooled; ++item) {
      for (std::size_t i = 0; i < kPooledSize; ++i) sum[i] += shares[item] * row(group, item)[i];
    }
    return sum;
  }
  void expect_pooled(const LayerSpec& layer, std::size_t group, const PooledNumbers& wanted,
                     const PooledNumbers& shares) {
    const Pooled pooled = pool(weights(), layer, rows_, kPools, kPooled);
    ASSERT_EQ(pooled.rows.size(), kPools * wanted.size());
    ASSERT_EQ(pooled.attention.size(), kPools * kPooled);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR(pooled.rows[group * wanted.size() + i], wanted[i], 1e-3) << group << " " << i;
    }
    for (std::size_t i = 0; i < kPooled; ++i) {
      EXPECT_NEAR(pooled.attention[group * kPooled + i], shares[i], 1e-3) << group << " " << i;
    }
  }

  const Scratch folder_;
  Random random_{3};
  std::vector<float> rows_ = std::vector<float>(kPools * kPooled * kPooledSize);
  std::map<std::string, std::vector<float>> tensors_;
  std::map<std::string, std::vector<std::int64_t>> shapes_;
};

PooledNumbers softmax_of(const PooledNumbers& scores) {
  PooledNumbers shares;
  for (const double score : scores) {
    double sum = 0;
    for (const double other : scores) sum += std::exp(other - score);
    shares.push_back(1 / sum);
  }
  return shares;
}

double dot_of(const PooledNumbers& a, const PooledNumbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kPooledSize; ++i) sum += a[i] * b[i];
  return sum;
}

TEST_F(PoolingTest, AMeanIsEven) {
  const PooledNumbers even(kPooled, 1.0 / kPooled);
  for (std::size_t group = 0; group < kPools; ++group) {
    expect_pooled({LayerKind::mean}, group, sum_of(group, even), even);
  }
  EXPECT_EQ(check_pooling(weights(), {LayerKind::mean}, kPooledSize), kPooledSize);
}

// Also scores whose exponentials are beyond float.
TEST_F(PoolingTest, AContextWeighsRows) {
  const LayerSpec layer{LayerKind::context, "c"};
  for (const float scale : {1.0F, 2000.0F}) {
    tensors_.clear();
    add("c.context", {1, kPooledSize});
    add_linear("c.of_context", kPooledSize);
    add_linear("c.of_items", kPooledSize);
    shapes_["c.scale"] = {1};
    tensors_["c.scale"] = {scale};
    EXPECT_EQ(check_pooling(weights(), layer, kPooledSize), kPooledSize);
    const std::vector<float>& given = tensors_["c.context"];
    const PooledNumbers context = squashed("c.of_context", {given.begin(), given.end()});
    for (std::size_t group = 0; group < kPools; ++group) {
      PooledNumbers scores;
      for (std::size_t item = 0; item < kPooled; ++item) {
        scores.push_back(static_cast<double>(scale) *
                         dot_of(squashed("c.of_items", row(group, item)), context));
      }
      const PooledNumbers shares = softmax_of(scores);
      expect_pooled(layer, group, sum_of(group, shares), shares);
    }
  }
}

TEST_F(PoolingTest, AMemoryLooksAgainAndAgain) {
  for (const bool seen : {false, true}) {
    tensors_.clear();
    const LayerSpec layer{LayerKind::memory, "m", 2, seen};
    if (seen) add_linear("m_first", kPooledSize);
    for (const std::string hop : {"m0", "m1"}) {
      add_linear(hop + ".of_items", kPooledSize);
      add_linear(hop + ".of_memory", kPooledSize);
      add_linear(hop + ".score", 1);
      if (seen) add_linear(hop + ".seen", kPooledSize);
      tensors_[hop + ".score.bias"] = {100};
    }
    EXPECT_EQ(check_pooling(weights(), layer, kPooledSize), 3 * kPooledSize);
    for (std::size_t group = 0; group < kPools; ++group) {
      PooledNumbers memory = sum_of(group, PooledNumbers(kPooled, 1.0 / kPooled)),
                    together(kPooled);
      if (seen) memory = squashed("m_first", memory);
      PooledNumbers wanted = memory;
      for (const std::string hop : {"m0", "m1"}) {
        PooledNumbers scores;
        const PooledNumbers gate = squashed(hop + ".of_memory", memory);
        for (std::size_t item = 0; item < kPooled; ++item) {
          PooledNumbers hidden = squashed(hop + ".of_items", row(group, item));
          for (std::size_t i = 0; i < kPooledSize; ++i) hidden[i] *= gate[i];
          scores.push_back(linear(hop + ".score", hidden).front());
        }
        const PooledNumbers shares = softmax_of(scores);
        PooledNumbers found = sum_of(group, shares);
        if (seen) found = squashed(hop + ".seen", found);
        wanted.insert(wanted.end(), found.begin(), found.end());
        for (std::size_t i = 0; i < kPooledSize; ++i) memory[i] += found[i];
        for (std::size_t i = 0; i < kPooled; ++i) together[i] += shares[i] / 2;
      }
      expect_pooled(layer, group, wanted, together);
    }
  }
}

}  // namespace
}  // namespace hinny
