#include "vision/packed_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "base/safetensors.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

// Products as they are, and of numbers rounded to bfloat16 with sums in float.
TEST(PackedLayer, MultipliesAndAddsBiases) {
  constexpr std::size_t kInputs = 40, kOutputs = 24, kRows = 5;
  Random random(1);
  const auto drawn = [&](std::size_t count) {
    std::vector<float> numbers(count);
    for (float& number : numbers) number = static_cast<float>(random.below(2001)) / 1000.0F - 1.0F;
    return numbers;
  };
  const std::vector<float> weight = drawn(kOutputs * kInputs), bias = drawn(kOutputs),
                           x = drawn(kRows * kInputs);
  const Scratch scratch;
  const std::filesystem::path file = scratch / "w.safetensors";
  write_safetensors(
      file,
      {{"a.weight", {TensorType::float32, {kOutputs, kInputs}, std::as_bytes(std::span(weight))}},
       {"a.bias", {TensorType::float32, {kOutputs}, std::as_bytes(std::span(bias))}}});
  const Weights weights(file);
  for (const Reads reads : {Reads::whole, Reads::bfloat16}) {
    const auto layer = packed_layer(weights, "a", reads);
    ASSERT_EQ(layer->outputs(), kOutputs);
    std::vector<float> out(kRows * kOutputs);
    layer->apply(x.data(), kRows, out.data());
    const double near = reads == Reads::whole ? 1e-5 : 0.05;
    double furthest = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t o = 0; o < kOutputs; ++o) {
        double sum = bias[o];
        for (std::size_t i = 0; i < kInputs; ++i) {
          sum += static_cast<double>(weight[o * kInputs + i]) * x[row * kInputs + i];
        }
        furthest = std::max(furthest, std::fabs(sum - out[row * kOutputs + o]));
      }
    }
    EXPECT_LE(furthest, near);
    EXPECT_EQ(furthest > 1e-4, reads == Reads::bfloat16);  // so it has rounded
  }
  EXPECT_EQ(best_reads(TensorType::float32), Reads::whole);
}

}  // namespace
}  // namespace hinny
