#include "encoder/gates.h"

#include <cmath>

#include "base/every_processor.h"
#include "base/vector_math.h"

namespace hinny {
namespace {

// Sums and maxima go by lanes: the compiler may not reorder them itself.
constexpr std::size_t kLanes = 16;

struct Size {
  float largest = 0;  // |x|
  float invalid = 0;  // NaN where a number is not finite
};
[[gnu::always_inline]] inline Size size_of(const float* x, std::size_t count) {
  float sizes[kLanes] = {}, sums[kLanes] = {};  // x - x is NaN for what is not finite
  const std::size_t whole = count / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float size = std::fabs(x[i + lane]);
      sizes[lane] = size > sizes[lane] ? size : sizes[lane];
      sums[lane] += x[i + lane] - x[i + lane];
    }
  }
  Size result;
  for (std::size_t i = whole; i < count; ++i) {
    const float size = std::fabs(x[i]);
    result.largest = size > result.largest ? size : result.largest;
    result.invalid += x[i] - x[i];
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    result.largest = sizes[lane] > result.largest ? sizes[lane] : result.largest;
    result.invalid += sums[lane];
  }
  return result;
}

namespace loops {

[[gnu::always_inline]] inline float split(const float* x, std::size_t count, std::int8_t* high,
                                          std::int8_t* low) {
  constexpr float kMost = 127 * kSplit;
  const Size size = size_of(x, count);
  const float inverse = size.largest > 0 ? kMost / size.largest : 0.0F;
  for (std::size_t i = 0; i < count; ++i) {
    float part = x[i] * inverse;
    part = part > -kMost ? part : -kMost;  // NaN too
    const auto whole = static_cast<std::int32_t>(std::rint(part));
    const std::int32_t upper = (whole + 64) >> 7;
    high[i] = static_cast<std::int8_t>(upper);
    low[i] = static_cast<std::int8_t>(whole - upper * 128);
  }
  return size.invalid == 0 ? size.largest / kMost : size.invalid;
}

[[gnu::always_inline]] inline float narrow(const float* x, std::size_t count,
                                           std::int8_t* numbers) {
  constexpr float kMost = 127;
  const Size size = size_of(x, count);
  const float inverse = size.largest > 0 ? kMost / size.largest : 0.0F;
  for (std::size_t i = 0; i < count; ++i) {
    float part = x[i] * inverse;
    part = part > -kMost ? part : -kMost;  // NaN too
    numbers[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(std::rint(part)));
  }
  return size.invalid == 0 ? size.largest / kMost : size.invalid;
}

[[gnu::always_inline]] inline void lstm_step(const float* from_word, const float* from_state,
                                             std::size_t hidden, float* state, float* cell) {
#ifndef __clang__  // which does not know it
#pragma GCC ivdep  // there are too many arrays to check that none overlap
#endif
  for (std::size_t i = 0; i < hidden; ++i) {
    const auto sum = [&](std::size_t kind) {
      return from_word[kind * hidden + i] + from_state[kind * hidden + i];
    };
    cell[i] = sigmoid(sum(1)) * cell[i] + sigmoid(sum(0)) * quick_tanh(sum(2));
    state[i] = sigmoid(sum(3)) * quick_tanh(cell[i]);
  }
}

[[gnu::always_inline]] inline void gru_reset(const float* from_word, const float* from_state,
                                             std::size_t hidden, float* reset) {
  for (std::size_t i = 0; i < hidden; ++i) reset[i] = sigmoid(from_word[i] + from_state[i]);
}

[[gnu::always_inline]] inline void gru_step(const float* from_word, const float* from_state,
                                            const float* reset, std::size_t hidden, float* state) {
  for (std::size_t i = 0; i < hidden; ++i) {
    const float update = sigmoid(from_word[hidden + i] + from_state[hidden + i]);
    const float kept = reset == nullptr ? 1.0F : reset[i];
    const float fresh = quick_tanh(from_word[2 * hidden + i] + kept * from_state[2 * hidden + i]);
    state[i] = (1.0F - update) * fresh + update * state[i];
  }
}

[[gnu::always_inline]] inline void tanh_each(float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = quick_tanh(x[i]);
}

[[gnu::always_inline]] inline float largest_of(const float* x, std::size_t count) {
  float most = x[0];
  float lanes[kLanes];
  for (float& lane : lanes) lane = most;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = x[i + lane] > lanes[lane] ? x[i + lane] : lanes[lane];
    }
  }
  for (; i < count; ++i) most = x[i] > most ? x[i] : most;
  for (const float lane : lanes) most = lane > most ? lane : most;
  return most;
}

[[gnu::always_inline]] inline float largest(const float* x, std::size_t count) {
  return largest_of(x, count);
}

[[gnu::always_inline]] inline float log_sum_exp(const float* x, std::size_t count) {
  const float most = largest_of(x, count);
  float lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += quick_exp(x[i + lane] - most);
  }
  float sum = 0;
  for (; i < count; ++i) sum += quick_exp(x[i] - most);
  for (const float lane : lanes) sum += lane;
  return most + std::log(sum);
}

[[gnu::always_inline]] inline void add_each(const float* more, std::size_t count, float* x) {
  for (std::size_t i = 0; i < count; ++i) x[i] += more[i];
}

[[gnu::always_inline]] inline void scale_each(const std::int32_t* sums, float scale,
                                              const float* scales, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(sums[i]) * scale * scales[i];
  }
}

[[gnu::always_inline]] inline void weighted_sum(const float* weights, std::size_t count,
                                                const float* x, std::size_t size, float* out) {
  for (std::size_t i = 0; i < size; ++i) out[i] = 0;
  std::size_t row = 0;
  for (; row + 2 <= count; row += 2) {  // so that `out` is read and written half as often
    const float first = weights[row], second = weights[row + 1];
    const float *a = x + row * size, *b = a + size;
    for (std::size_t i = 0; i < size; ++i) out[i] = out[i] + first * a[i] + second * b[i];
  }
  if (row == count) return;
  for (std::size_t i = 0; i < size; ++i) out[i] += weights[row] * x[row * size + i];
}

[[gnu::always_inline]] inline void join(const std::int32_t* high, const std::int32_t* low,
                                        float scale, const float* scales, std::size_t count,
                                        float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] =
        (kSplit * static_cast<float>(high[i]) + static_cast<float>(low[i])) * scale * scales[i];
  }
}

}  // namespace loops
}  // namespace

float split(const float* x, std::size_t count, std::int8_t* high, std::int8_t* low) {
  return on_this_processor<loops::split>(x, count, high, low);
}

float narrow(const float* x, std::size_t count, std::int8_t* numbers) {
  return on_this_processor<loops::narrow>(x, count, numbers);
}

void lstm_step(const float* from_word, const float* from_state, std::size_t hidden, float* state,
               float* cell) {
  on_this_processor<loops::lstm_step>(from_word, from_state, hidden, state, cell);
}

void gru_reset(const float* from_word, const float* from_state, std::size_t hidden, float* reset) {
  on_this_processor<loops::gru_reset>(from_word, from_state, hidden, reset);
}

void gru_step(const float* from_word, const float* from_state, const float* reset,
              std::size_t hidden, float* state) {
  on_this_processor<loops::gru_step>(from_word, from_state, reset, hidden, state);
}

void tanh_each(float* x, std::size_t count) { on_this_processor<loops::tanh_each>(x, count); }

float largest(const float* x, std::size_t count) {
  return on_this_processor<loops::largest>(x, count);
}

float log_sum_exp(const float* x, std::size_t count) {
  return on_this_processor<loops::log_sum_exp>(x, count);
}

void add_each(const float* more, std::size_t count, float* x) {
  on_this_processor<loops::add_each>(more, count, x);
}

void scale_each(const std::int32_t* sums, float scale, const float* scales, std::size_t count,
                float* out) {
  on_this_processor<loops::scale_each>(sums, scale, scales, count, out);
}

void weighted_sum(const float* weights, std::size_t count, const float* x, std::size_t size,
                  float* out) {
  on_this_processor<loops::weighted_sum>(weights, count, x, size, out);
}

void join(const std::int32_t* high, const std::int32_t* low, float scale, const float* scales,
          std::size_t count, float* out) {
  on_this_processor<loops::join>(high, low, scale, scales, count, out);
}

}  // namespace hinny
