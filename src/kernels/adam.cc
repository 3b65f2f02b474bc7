#include "kernels/adam.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/every_processor.h"
#include "base/threads.h"

namespace hinny {
namespace {

constexpr std::size_t kBlock = 1 << 15;  // numbers

std::size_t blocks_of(std::size_t count) { return (count + kBlock - 1) / kBlock; }

[[gnu::always_inline]] inline void update(const AdamStep& step, std::size_t count,
                                          const float* gradient, float* parameter, float* mean,
                                          float* variance) {
  const AdamStep s = step;
  const float kept = s.decoupled ? 1.0F - s.rate * s.decay : 1.0F;
  const float decay = s.decoupled ? 0.0F : s.decay;
  const float rate = s.rate * s.size1;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradient[i] * s.factor + decay * parameter[i];
    const float m = s.beta1 * mean[i] + (1.0F - s.beta1) * g;
    const float v = s.beta2 * variance[i] + (1.0F - s.beta2) * g * g;
    mean[i] = m;
    variance[i] = v;
    parameter[i] = parameter[i] * kept - rate * m / (std::sqrt(v * s.size2) + s.epsilon);
  }
}

[[gnu::always_inline]] inline double squares(const float* x, std::size_t count) {
  constexpr std::size_t kSums = 16;
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) {
      const double value = x[i + j];
      sums[j] += value * value;
    }
  }
  for (; i < count; ++i) sums[0] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return std::accumulate(sums, sums + kSums, 0.0);
}

}  // namespace

void adam_step(const AdamStep& step, std::size_t count, const float* gradient, float* parameter,
               float* mean, float* variance) {
  parallel_blocks(blocks_of(count), [&](std::size_t begin, std::size_t end) {
    const std::size_t first = begin * kBlock, last = std::min(end * kBlock, count);
    on_this_processor<update>(step, last - first, gradient + first, parameter + first, mean + first,
                              variance + first);
  });
}

double sum_of_squares(std::span<const float> numbers) {
  std::vector<double> sums(blocks_of(numbers.size()));
  parallel_blocks(sums.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
      const std::size_t first = block * kBlock;
      sums[block] = on_this_processor<squares>(numbers.data() + first,
                                               std::min(kBlock, numbers.size() - first));
    }
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace hinny
