#include "retrieval/dot_products.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "base/random.h"

namespace hinny {
namespace {

std::vector<float> drawn(Random& random, std::size_t count) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(random.normal());
  return numbers;
}

using Product = void (*)(const float*, std::size_t, const float*, std::size_t, std::size_t, float*);

class DotProducts : public testing::TestWithParam<Product> {};

// Around the tiles, few and many enough for threads.
TEST_P(DotProducts, AreOfEachRowWithEach) {
  Random random(1);
  for (const auto& [rows, columns, dim] :
       {std::tuple{1UL, 1UL, 1UL}, {3UL, 65UL, 17UL}, {64UL, 64UL, 5UL}, {200UL, 130UL, 300UL}}) {
    const auto a = drawn(random, rows * dim), b = drawn(random, columns * dim);
    std::vector<float> out(rows * columns, -1);
    GetParam()(a.data(), rows, b.data(), columns, dim, out.data());
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        double sum = 0;
        for (std::size_t d = 0; d < dim; ++d) {
          sum += static_cast<double>(a[i * dim + d]) * static_cast<double>(b[j * dim + d]);
        }
        ASSERT_NEAR(out[i * columns + j], sum, 1e-4) << rows << " " << columns << " " << dim;
      }
    }
  }
}

TEST_P(DotProducts, NoRowsHaveNone) {
  float out = 7;
  GetParam()(nullptr, 0, nullptr, 0, 3, &out);
  EXPECT_EQ(out, 7);
}

INSTANTIATE_TEST_SUITE_P(Both, DotProducts, testing::Values(&dot_products, &dot_products_alone),
                         [](const auto& info) { return info.index == 0 ? "together" : "alone"; });

TEST(DotProductsAlone, AreTheSameWhereverTheirRowsStand) {
  constexpr std::size_t kDim = 515, kCount = 150;
  Random random(2);
  const auto one = drawn(random, kDim), other = drawn(random, kDim);
  std::vector<float> a, b;
  for (std::size_t i = 0; i < kCount; ++i) {
    a.insert(a.end(), one.begin(), one.end());
    b.insert(b.end(), other.begin(), other.end());
  }
  float alone = 0;
  dot_products_alone(one.data(), 1, other.data(), 1, kDim, &alone);
  std::vector<float> out(kCount * kCount);
  dot_products_alone(a.data(), kCount, b.data(), kCount, kDim, out.data());
  for (const float product : out) ASSERT_EQ(product, alone);
}

}  // namespace
}  // namespace hinny
