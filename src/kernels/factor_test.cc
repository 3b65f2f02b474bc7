#include "kernels/factor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace hinny {
namespace {

constexpr std::int64_t kRows = 7, kInner = 37, kColumns = 19;

template <typename T>
std::vector<T> numbers(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> result(static_cast<std::size_t>(count));
  for (T& number : result) number = static_cast<T>(random.normal());
  return result;
}

// As products in bfloat16 read it.
template <typename T>
double read(T number, bool rounds) {
  if (!rounds) return static_cast<double>(number);
  BFloat16 rounded;
  assign(rounded, static_cast<float>(number));
  return to_float(rounded);
}

// sum_i a(i) b(i)
template <typename Left, typename Right>
double sum(const Left& a, const Right& b) {
  double total = 0;
  for (std::int64_t i = 0; i < kInner; ++i) total += a(i) * b(i);
  return total;
}

template <typename T>
void check_factor(Reads reads, bool rounds, double near) {
  const auto a = numbers<T>(kRows * kInner, 1), b = numbers<T>(kInner * kColumns, 2);
  const auto at = [&](const std::vector<T>& x, std::int64_t i) {
    return read(x[static_cast<std::size_t>(i)], rounds);
  };
  for (const bool transposed : {false, true}) {
    Factor<T> factor(kInner, kColumns, {b.data(), transposed ? kInner : kColumns, transposed},
                     reads);
    for (int times = 0; times < 2; ++times) {
      std::vector<T> c(static_cast<std::size_t>(kRows * kColumns));
      factor.multiply(kRows, a.data(), c.data(), kColumns);
      for (std::int64_t i = 0; i < kRows * kColumns; ++i) {
        const std::int64_t row = i / kColumns, column = i % kColumns;
        const double expected =
            sum([&](std::int64_t k) { return at(a, row * kInner + k); },
                [&](std::int64_t k) {
                  return at(b, transposed ? column * kInner + k : k * kColumns + column);
                });
        ASSERT_NEAR(c[static_cast<std::size_t>(i)], expected, near);
      }
    }
  }
}

TEST(Factor, MultipliesNumbersAsTheyAre) {
  check_factor<float>(Reads::whole, false, 1e-4);
  check_factor<double>(Reads::whole, false, 1e-12);
}
TEST(Factor, MultipliesRoundedFloats) { check_factor<float>(Reads::bfloat16, true, 1e-4); }
TEST(Factor, NeverRoundsDoubles) { check_factor<double>(Reads::bfloat16, false, 1e-12); }

template <typename T>
void check_columns(Reads reads, bool rounds, double near) {
  const auto a = numbers<T>(kInner * kRows, 3), b = numbers<T>(kInner * kColumns, 4);
  std::vector<T> c(static_cast<std::size_t>(kRows * kColumns), T{5});
  std::vector<BFloat16> scratch;
  add_product_of_columns<T>({kRows, kColumns, kInner}, a.data(), b.data(), c.data(), reads,
                            scratch);
  for (std::int64_t i = 0; i < kRows * kColumns; ++i) {
    const auto at = [&](const std::vector<T>& x, std::int64_t place) {
      return read(x[static_cast<std::size_t>(place)], rounds);
    };
    const double expected =
        5 + sum([&](std::int64_t k) { return at(a, k * kRows + i / kColumns); },
                [&](std::int64_t k) { return at(b, k * kColumns + i % kColumns); });
    ASSERT_NEAR(c[static_cast<std::size_t>(i)], expected, near);
  }
}

TEST(Factor, AddsProductsOfColumns) {
  check_columns<float>(Reads::whole, false, 1e-4);
  check_columns<float>(Reads::bfloat16, true, 1e-4);
  check_columns<double>(Reads::bfloat16, false, 1e-12);
}

}  // namespace
}  // namespace hinny
