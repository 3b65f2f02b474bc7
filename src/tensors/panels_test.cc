#include "tensors/panels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "base/half.h"
#include "base/random.h"
#include "tensors/matrix.h"

namespace hinny {
namespace {

std::vector<float> drawn_numbers(std::size_t count) {
  Random random(count + 1);
  std::vector<float> result(count);
  for (float& number : result) number = static_cast<float>(random.below(2001)) / 1000.0F - 1.0F;
  return result;
}

// Rows [outputs, inputs] as panels, of numbers of type T.
template <typename T>
std::vector<std::byte> in_panels(const std::vector<T>& rows, std::size_t outputs,
                                 std::size_t inputs) {
  std::vector<T> numbers(panels_of(outputs) * inputs * kPanelOutputs);
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) {
      numbers[(o / kPanelOutputs * inputs + i) * kPanelOutputs + o % kPanelOutputs] =
          rows[o * inputs + i];
    }
  }
  std::vector<std::byte> bytes(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

void expect_products(const Panels& w, const std::vector<float>& rows, std::size_t times) {
  const std::vector<float> x = drawn_numbers(times * w.inputs);
  std::vector<float> out(times * w.outputs, 99.0F);
  multiply(w, x.data(), times, out.data());
  for (std::size_t t = 0; t < times; ++t) {
    for (std::size_t o = 0; o < w.outputs; ++o) {
      double sum = 0;
      for (std::size_t i = 0; i < w.inputs; ++i) {
        sum += static_cast<double>(rows[o * w.inputs + i]) * x[t * w.inputs + i];
      }
      ASSERT_NEAR(out[t * w.outputs + o], sum, 1e-4) << times << " " << w.outputs;
    }
  }
}

TEST(Panels, ProductsOfEverySizeAndType) {
  for (const std::size_t outputs : {1UL, 15UL, 16UL, 17UL, 50UL}) {
    for (const std::size_t times : {1UL, 2UL, 3UL, 6UL, 7UL, 13UL}) {
      const std::size_t inputs = 37;
      const std::vector<float> rows = drawn_numbers(outputs * inputs);
      const auto floats = in_panels(rows, outputs, inputs);
      expect_products({TensorType::float32, floats.data(), inputs, outputs, {}}, rows, times);

      std::vector<std::uint16_t> halves(rows.size());
      std::vector<float> rounded(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        halves[i] = float_to_bfloat16(rows[i]);
        const std::uint32_t bits = static_cast<std::uint32_t>(halves[i]) << 16U;
        std::memcpy(&rounded[i], &bits, sizeof bits);
      }
      const auto short_ones = in_panels(halves, outputs, inputs);
      expect_products({TensorType::bfloat16, short_ones.data(), inputs, outputs, {}}, rounded,
                      times);

      std::vector<std::int8_t> bytes(rows.size());
      std::vector<float> scales(outputs);
      for (std::size_t o = 0; o < outputs; ++o) {
        scales[o] = to_int8(std::span(rows).subspan(o * inputs, inputs),
                            std::span(bytes).subspan(o * inputs, inputs));
        for (std::size_t i = o * inputs; i < (o + 1) * inputs; ++i) {
          rounded[i] = scales[o] * static_cast<float>(bytes[i]);
        }
      }
      const auto packed = in_panels(bytes, outputs, inputs);
      expect_products({TensorType::int8, packed.data(), inputs, outputs, scales}, rounded, times);
    }
  }
}

// A vector's products are the same alone and among others, wherever the file has the weights.
TEST(Panels, CompanyAndPlaceDoNotShow) {
  const std::size_t inputs = 64, outputs = 40, times = 9;
  const std::vector<float> rows = drawn_numbers(outputs * inputs);
  std::vector<std::byte> bytes = in_panels(rows, outputs, inputs);
  const std::vector<float> x = drawn_numbers(times * inputs);
  std::vector<float> together(times * outputs), alone(outputs);
  multiply(Panels{TensorType::float32, bytes.data(), inputs, outputs, {}}, x.data(), times,
           together.data());
  bytes.insert(bytes.begin(), std::byte{0});  // at an odd place
  for (std::size_t t = 0; t < times; ++t) {
    multiply(Panels{TensorType::float32, bytes.data() + 1, inputs, outputs, {}},
             x.data() + t * inputs, 1, alone.data());
    const auto first = together.begin() + static_cast<std::ptrdiff_t>(t * outputs);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), first)) << t;
  }
}

}  // namespace
}  // namespace hinny
