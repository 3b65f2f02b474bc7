#include "encoder/gates.h"

#include <cmath>

#include "base/every_processor.h"
#include "base/vector_math.h"

namespace hinny {
namespace {

// Sums and maxima go by lanes: the compiler may not reorder them itself.
constexpr std::size_t kLanes = 16;

namespace loops {

[[gnu::always_inline]] inline void lstm_step(const float* from_word, const float* from_state,
                                             std::size_t hidden, float* state, float* cell) {
#pragma GCC ivdep  // there are too many arrays to check that none overlap
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

}  // namespace loops
}  // namespace

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

void weighted_sum(const float* weights, std::size_t count, const float* x, std::size_t size,
                  float* out) {
  on_this_processor<loops::weighted_sum>(weights, count, x, size, out);
}

}  // namespace hinny
