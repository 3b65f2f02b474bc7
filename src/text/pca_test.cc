#include "text/pca.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace hinny {
namespace {

// Points with variance 9 along (2, -1, 0) / sqrt 5, 4 along (0, 0, 1), 1 along (1, 2, 0) / sqrt 5.
std::vector<float> ellipsoid(std::size_t points) {
  Random random(3);
  const double root = std::sqrt(5.0);
  std::vector<float> rows;
  for (std::size_t i = 0; i < points; ++i) {
    const double a = 3.0 * random.normal();
    const double b = 2.0 * random.normal();
    const double c = random.normal();
    rows.push_back(static_cast<float>((2.0 * a + c) / root + 10.0));
    rows.push_back(static_cast<float>((-a + 2.0 * c) / root - 5.0));
    rows.push_back(static_cast<float>(b));
  }
  return rows;
}

TEST(Pca, FindsTheAxesInOrderOfVariance) {
  const Pca pca = fit_pca(ellipsoid(20000), 3, 3);
  const std::array<double, 3> variance = {9.0, 4.0, 1.0};
  const double root = std::sqrt(5.0);
  // The largest number of each is positive.
  const std::array<double, 9> axes = {2.0 / root, -1.0 / root, 0,          0, 0,
                                      1,          1.0 / root,  2.0 / root, 0};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(pca.variance[i], variance[i], 0.3);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(pca.components[i], axes[i], 0.03) << i;
  EXPECT_NEAR(pca.mean[0], 10.0, 0.1);
  EXPECT_NEAR(pca.explained_variance_ratio(), 1.0, 1e-12);
  EXPECT_NEAR(fit_pca(ellipsoid(20000), 3, 1).explained_variance_ratio(), 9.0 / 14.0, 0.02);
}

TEST(Pca, AllComponentsRebuildTheInput) {
  const auto rows = ellipsoid(50);
  WordVectors vectors(3);
  for (std::size_t i = 0; i < 50; ++i) {
    vectors.add(std::to_string(i), std::span(rows).subspan(i * 3, 3));
  }
  const Pca pca = fit_pca(rows, 3, 3);
  const WordVectors reduced = reduce(vectors, pca);
  ASSERT_EQ(reduced.words(), vectors.words());
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double rebuilt = pca.mean[j];
      for (std::size_t k = 0; k < 3; ++k) {
        rebuilt += static_cast<double>(reduced.row(i)[k]) * pca.components[k * 3 + j];
      }
      EXPECT_NEAR(rebuilt, vectors.row(i)[j], 1e-5);
    }
  }
}

TEST(Pca, RefusesWhatHasNoComponents) {
  const std::vector<float> rows = {1, 2, 3, 4};
  EXPECT_THROW(fit_pca(rows, 2, 3), InputError);
  EXPECT_THROW(fit_pca(rows, 2, 0), InputError);
  EXPECT_THROW(fit_pca(std::span(rows).first(2), 2, 1), InputError);
  const std::vector<float> equal = {1, 2, 1, 2};
  EXPECT_EQ(fit_pca(equal, 2, 1).explained_variance_ratio(), 1.0);
}

// Ten words that share nine tenths of their length, and vary most along one direction.
TEST(Whitened, LeavesWhatTellsWordsApart) {
  Random random(3);
  WordVectors vectors(4);
  for (int i = 0; i < 40; ++i) {
    const std::vector<float> row = {9.0F, static_cast<float>(random.normal()),
                                    static_cast<float>(0.01 * random.normal()), 0.0F};
    vectors.add("w" + std::to_string(i), row);
  }
  const WordVectors found = whitened(vectors);
  ASSERT_EQ(found.size(), 40U);
  EXPECT_EQ(found.words()[7], "w7");
  std::vector<double> mean(4), spread(4);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const auto number = static_cast<double>(found.row(i)[k]);
      mean[k] += number / 40;
      spread[k] += number * number / 40;
    }
  }
  std::ranges::sort(spread);
  for (const double number : mean) EXPECT_NEAR(number, 0, 1e-5);
  EXPECT_NEAR(spread[0], 0, 1e-9);  // no word differs there
  for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(spread[k], 1.0 / 3, 0.02);
  EXPECT_NEAR(spread[1] + spread[2] + spread[3], 1, 0.03);
  const WordVectors again = whitened(vectors);
  EXPECT_TRUE(std::ranges::equal(again.rows(), found.rows()));
}

}  // namespace
}  // namespace hinny
