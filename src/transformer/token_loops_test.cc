#include "transformer/token_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace hinny {
namespace {

std::vector<float> numbers(std::size_t count, float most) {
  Random random(count);
  std::vector<float> result(count);
  for (float& number : result) {
    number = most * (static_cast<float>(random.below(20001)) / 10000.0F - 1.0F);
  }
  return result;
}

TEST(TokenLoops, LayerNormOfEveryLength) {
  for (const std::size_t size : {1UL, 15UL, 16UL, 40UL, 768UL}) {
    const auto weight = numbers(size, 2), bias = numbers(size + 1, 1), x = numbers(3 * size, 5);
    std::vector<float> out(3 * size);
    layer_norm(weight, std::span(bias).first(size), 1e-5, x.data(), 3, out.data());
    for (std::size_t row = 0; row < 3; ++row) {
      double mean = 0, variance = 0;
      for (std::size_t i = 0; i < size; ++i) mean += x[row * size + i] / static_cast<double>(size);
      for (std::size_t i = 0; i < size; ++i) {
        const double from_mean = x[row * size + i] - mean;
        variance += from_mean * from_mean / static_cast<double>(size);
      }
      for (std::size_t i = 0; i < size; ++i) {
        const double expected =
            (x[row * size + i] - mean) / std::sqrt(variance + 1e-5) * weight[i] + bias[i];
        EXPECT_NEAR(out[row * size + i], expected, 2e-5) << size;
      }
    }
  }
}

TEST(TokenLoops, LayerNormMayWriteWhereItReads) {
  const std::vector<float> weight(40, 1.0F), bias(40, 0.5F);
  std::vector<float> x = numbers(80, 3), out(80);
  layer_norm(weight, bias, 1e-6, x.data(), 2, out.data());
  layer_norm(weight, bias, 1e-6, x.data(), 2, x.data());
  EXPECT_EQ(x, out);
}

TEST(TokenLoops, ActivationsAreTheirFormulas) {
  const std::vector<float> x = numbers(1000, 9);
  for (const Activation activation :
       {Activation::gelu, Activation::gelu_tanh, Activation::quick_gelu}) {
    std::vector<float> out = x;
    activate(activation, out.data(), out.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double v = x[i];
      double expected = v / (1 + std::exp(-1.702 * v));
      if (activation == Activation::gelu) expected = 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)));
      if (activation == Activation::gelu_tanh) {
        const double inner = std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v);
        expected = 0.5 * v * (1 + std::tanh(inner));
      }
      EXPECT_NEAR(out[i], expected, 2e-6) << v;
    }
  }
}

TEST(TokenLoops, SwigluGatesOneHalfByTheOther) {
  const std::vector<float> x = numbers(3 * 2 * 20, 4);
  std::vector<float> out = x;
  swiglu(out.data(), 3, 20, out.data());
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t i = 0; i < 20; ++i) {
      const double gate = x[row * 40 + i];
      EXPECT_NEAR(out[row * 20 + i], gate / (1 + std::exp(-gate)) * x[row * 40 + 20 + i], 1e-5);
    }
  }
}

TEST(TokenLoops, NumbersAreAddedRowByRow) {
  std::vector<float> x(6, 1.0F);
  add_to_rows(std::vector<float>{1, 2, 3}, 2, x.data());
  EXPECT_EQ(x, (std::vector<float>{2, 3, 4, 2, 3, 4}));
  add_numbers(std::vector<float>{1, 0, 0, 0, 0, 1}.data(), 6, x.data());
  EXPECT_EQ(x, (std::vector<float>{3, 3, 4, 2, 3, 5}));
}

}  // namespace
}  // namespace hinny
