// Sixteen numbers side by side and one operation on all of them: the compilers' vector extension,
// which becomes whatever the processor has. Functions take references: how such a type is passed by
// value differs between processors.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vector_math.h"

namespace hinny {

constexpr std::int64_t kLanes = 16;

template <typename T>
struct LanesOf {
  using type __attribute__((vector_size(kLanes * sizeof(T)), may_alias)) = T;
};
template <typename T>
using Lanes = typename LanesOf<T>::type;

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

template <typename T>
[[gnu::always_inline]] inline void keep_greater(Lanes<T>& x, const Lanes<T>& y) {
  x = x > y ? x : y;
}

// The loops over numbers below vectorise as those in lstm.cc do.
template <typename T>
[[gnu::always_inline]] inline void square_root(Lanes<T>* x, std::int64_t count) {
  T* numbers = reinterpret_cast<T*>(x);
  for (std::int64_t i = 0; i < count * kLanes; ++i) numbers[i] = std::sqrt(numbers[i]);
}

// x[i] = e^(x[i] - less)
template <typename T>
[[gnu::always_inline]] inline void exponentiate(Lanes<T>* x, std::int64_t count,
                                                const Lanes<T>& less) {
  T* numbers = reinterpret_cast<T*>(x);
  const T* offset = reinterpret_cast<const T*>(&less);
  for (std::int64_t i = 0; i < count; ++i) {
    for (int lane = 0; lane < kLanes; ++lane) {
      T& number = numbers[i * kLanes + lane];
      number = quick_exp(number - offset[lane]);
    }
  }
}

template <typename T>
[[gnu::always_inline]] inline T sum_of(const Lanes<T>& x) {
  T sum{};
  for (int lane = 0; lane < kLanes; ++lane) sum += x[lane];
  return sum;
}

}  // namespace hinny
