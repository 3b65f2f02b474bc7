#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/phases.h"
#include "base/random.h"
#include "base/threads.h"

namespace hinny {
namespace {

template <typename T>
std::vector<T> random_numbers(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (T& number : numbers) assign(number, static_cast<Sum<T>>(random.normal()));
  return numbers;
}

template <typename T>
double at(const std::vector<T>& matrix, Operand<T> operand, std::int64_t row, std::int64_t column) {
  const std::int64_t place =
      operand.transposed ? column * operand.stride + row : row * operand.stride + column;
  return static_cast<double>(to_float(matrix[static_cast<std::size_t>(place)]));
}

// Compares with sums in double, for every layout, with rows that lie apart.
template <typename T>
void check(GemmSize size, bool a_transposed, bool b_transposed, bool accumulate, bool packed) {
  const std::int64_t a_stride = (a_transposed ? size.m : size.k) + 3;
  const std::int64_t b_stride = (b_transposed ? size.k : size.n) + 2;
  const auto a = random_numbers<T>(a_stride * (a_transposed ? size.k : size.m), 1);
  const auto b = random_numbers<T>(b_stride * (b_transposed ? size.n : size.k), 2);
  const std::int64_t stride = size.n + 1;
  std::vector<Sum<T>> c(static_cast<std::size_t>(size.m * stride), Sum<T>{7});
  const Operand<T> left{a.data(), a_stride, a_transposed}, right{b.data(), b_stride, b_transposed};
  if (packed) {
    PackedMatrix<T>(size.k, size.n, right)
        .multiply(size.m, a.data(), a_stride, c.data(), stride, accumulate);
  } else {
    gemm(size, left, right, c.data(), stride, accumulate);
  }
  for (std::int64_t row = 0; row < size.m; ++row) {
    for (std::int64_t column = 0; column < size.n; ++column) {
      double sum = accumulate ? 7 : 0;
      for (std::int64_t i = 0; i < size.k; ++i)
        sum += at(a, left, row, i) * at(b, right, i, column);
      ASSERT_NEAR(static_cast<double>(c[static_cast<std::size_t>(row * stride + column)]), sum,
                  1e-5 * (1 + std::sqrt(static_cast<double>(size.k))))
          << row << ", " << column << " of " << size.m << " x " << size.n << " x " << size.k;
    }
    ASSERT_EQ(c[static_cast<std::size_t>(row * stride + size.n)], Sum<T>{7}) << "beside the result";
  }
}

template <typename T>
class GemmOf : public testing::Test {};
using Types = testing::Types<float, BFloat16, double>;
TYPED_TEST_SUITE(GemmOf, Types);

TYPED_TEST(GemmOf, EveryLayoutAndOddSizes) {
  set_thread_count(2);
  for (const GemmSize size : {GemmSize{1, 1, 1}, GemmSize{3, 5, 7}, GemmSize{130, 33, 17},
                              GemmSize{17, 200, 65}, GemmSize{4, 6, 0}}) {
    for (int layout = 0; layout < 8; ++layout) {
      check<TypeParam>(size, layout & 1, layout & 2, layout & 4, false);
      check<TypeParam>(size, false, layout & 2, layout & 4, true);
    }
  }
}

TYPED_TEST(GemmOf, NothingToDo) {
  Sum<TypeParam> behind{7};
  gemm<TypeParam>({0, 4, 4}, {nullptr, 4}, {nullptr, 4}, &behind, 4);
  gemm<TypeParam>({4, 0, 4}, {nullptr, 4}, {nullptr, 4}, &behind, 4);
  EXPECT_EQ(behind, Sum<TypeParam>{7});
  gemm<TypeParam>({0, 4, 4}, {nullptr, 4}, {nullptr, 4}, nullptr, 4);
}

TEST(GemmBackend, HasAName) {
  EXPECT_TRUE(gemm_backend_name() == "oneDNN" || gemm_backend_name() == "BLAS");
  EXPECT_EQ(gemm_backend_names().back(), "blas");
}

// A measurement would differ on a busy machine, and with it what a training computes.
TEST(GemmBackend, WhetherBFloat16PaysIsNotMeasured) {
  count_phases();
  const bool pays = bfloat16_pays();
  for (const PhaseShare& share : phase_shares()) EXPECT_NE(share.name, "matrix products");
  EXPECT_TRUE(!pays || gemm_backend_name() == "oneDNN");
}

TEST(BFloat16, RoundsToNearestEven) {
  const auto rounded = [](float value) {
    BFloat16 number;
    assign(number, value);
    return to_float(number);
  };
  EXPECT_EQ(rounded(1.0F), 1.0F);
  EXPECT_EQ(rounded(1.0F + 0x1p-8F), 1.0F);  // halfway: to the even one
  EXPECT_EQ(rounded(1.0F + 3 * 0x1p-8F), 1.0F + 4 * 0x1p-8F);
  EXPECT_EQ(rounded(1.0F + 0x1p-8F + 0x1p-20F), 1.0F + 0x1p-7F);
  EXPECT_TRUE(std::isnan(rounded(std::nanf(""))));
  EXPECT_TRUE(std::isinf(rounded(3.4e38F)));
}

}  // namespace
}  // namespace hinny
