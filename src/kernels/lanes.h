// Sixteen numbers side by side and one operation on all of them: the compilers' vector extension.
// Functions take references: how such a type is passed by value differs between processors.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vector_math.h"

namespace hinny {

constexpr std::int64_t kLanes = 16;

template <typename T, int kCount>
struct VectorOf {
  using type __attribute__((vector_size(kCount * sizeof(T)), may_alias)) = T;
};
// As things lie in memory.
template <typename T>
using Lanes = typename VectorOf<T, kLanes>::type;
// As they are computed: as many of the lanes as a register holds. GCC keeps wider ones in memory.
template <typename T, int kWide>
using Wide = typename VectorOf<T, kWide>::type;

// kWide of the lanes of one row after another.
template <typename T, int kWide>
class Column {
 public:
  // `first`: the first of the lanes.
  Column(const Lanes<T>* rows, int first)
      : numbers_(const_cast<T*>(reinterpret_cast<const T*>(rows)) + first) {}

  Wide<T, kWide>& operator[](std::int64_t row) const {
    return *reinterpret_cast<Wide<T, kWide>*>(numbers_ + row * kLanes);
  }
  Column operator+(std::int64_t rows) const { return Column(numbers_ + rows * kLanes); }

 private:
  explicit Column(T* numbers) : numbers_(numbers) {}
  T* numbers_;
};

// Starts as zeros, aligned to whole cache lines.
template <typename T>
class LaneArray {
 public:
  explicit LaneArray(std::int64_t count = 0) : lines_(static_cast<std::size_t>(count)) {}
  Lanes<T>* data() { return reinterpret_cast<Lanes<T>*>(lines_.data()); }
  T* numbers() { return reinterpret_cast<T*>(lines_.data()); }
  const T* numbers() const { return reinterpret_cast<const T*>(lines_.data()); }

 private:
  struct alignas(kLanes * sizeof(T)) Line {
    T numbers[kLanes];
  };
  std::vector<Line> lines_;
};

template <typename Vector>
[[gnu::always_inline]] inline void take_greater(Vector& x, const Vector& y) {
  x = x > y ? x : y;
}

// The loops over numbers below vectorise as those in lstm.cc do.
template <typename T, int kWide>
[[gnu::always_inline]] inline void square_root(const Column<T, kWide>& x, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    T* numbers = reinterpret_cast<T*>(&x[i]);
    for (int lane = 0; lane < kWide; ++lane) numbers[lane] = std::sqrt(numbers[lane]);
  }
}

// x = e^(x - less)
template <typename T, int kWide>
[[gnu::always_inline]] inline void exponentiate(Wide<T, kWide>& x, const Wide<T, kWide>& less) {
  T* numbers = reinterpret_cast<T*>(&x);
  const T* offset = reinterpret_cast<const T*>(&less);
  for (int lane = 0; lane < kWide; ++lane) numbers[lane] = quick_exp(numbers[lane] - offset[lane]);
}

template <typename T, int kWide>
[[gnu::always_inline]] inline void exponentiate(const Column<T, kWide>& x, std::int64_t count,
                                                const Wide<T, kWide>& less) {
  for (std::int64_t i = 0; i < count; ++i) exponentiate<T, kWide>(x[i], less);
}

template <typename T>
[[gnu::always_inline]] inline T sum_of(const Lanes<T>& x) {
  T sum{};
  for (int lane = 0; lane < kLanes; ++lane) sum += x[lane];
  return sum;
}

}  // namespace hinny
