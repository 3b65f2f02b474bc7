// The GRU's gates over a chunk of rows, both forms.
#pragma once

#include "kernels/recurrent_cell.h"
#include "base/vector_math.h"

namespace hinny {

// products [count, 3H] with distance `stride` between rows (0: one row of zeros for all).
template <typename T>
[[gnu::always_inline]] inline void reset_after_forward(const StepRows<T>& rows, std::int64_t hidden,
                                                       const Sum<T>* products, std::int64_t stride,
                                                       const Sum<T>* bias) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const Sum<T>* in = rows.inputs + rows.words[row] * 3 * hidden;
    const Sum<T>* product = products + row * stride;
    Sum<T>* saved = rows.saved + row * 4 * hidden;
    Sum<T>* state = rows.state + row * hidden;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Sum<T> r = sigmoid(in[j] + product[j]);
      const Sum<T> z = sigmoid(in[hidden + j] + product[hidden + j]);
      const Sum<T> recurrent = product[2 * hidden + j] + bias[j];
      const Sum<T> n = quick_tanh(in[2 * hidden + j] + r * recurrent);
      saved[j] = r;
      saved[hidden + j] = z;
      saved[2 * hidden + j] = n;
      saved[3 * hidden + j] = recurrent;
      state[j] = n + z * (state[j] - n);
    }
  }
}

// before: [count, H] with distance `stride` between rows.
template <typename T>
[[gnu::always_inline]] inline void reset_after_backward(const StepRows<T>& rows,
                                                        std::int64_t hidden, const T* before,
                                                        std::int64_t stride) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const Sum<T>* saved = rows.saved + row * 4 * hidden;
    const T* h = before + row * stride;
    Sum<T>* state_gradient = rows.state_gradient + row * hidden;
    T* out = rows.gradients + row * 4 * hidden;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Sum<T> r = saved[j], z = saved[hidden + j], n = saved[2 * hidden + j];
      const Sum<T> recurrent = saved[3 * hidden + j];
      const Sum<T> dh = state_gradient[j];
      const Sum<T> dn = dh * (1 - z) * (1 - n * n);
      assign(out[j], dn * recurrent * r * (1 - r));
      assign(out[hidden + j], dh * (to_float(h[j]) - n) * z * (1 - z));
      assign(out[2 * hidden + j], dn * r);
      assign(out[3 * hidden + j], dn);
      state_gradient[j] = dh * z;
    }
  }
}

// First half of a step: r, z and r * h. products [count, 2H].
template <typename T>
[[gnu::always_inline]] inline void reset_before_gates(const StepRows<T>& rows, std::int64_t hidden,
                                                      const Sum<T>* products, std::int64_t stride) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const Sum<T>* in = rows.inputs + rows.words[row] * 3 * hidden;
    const Sum<T>* product = products + row * stride;
    const Sum<T>* state = rows.state + row * hidden;
    Sum<T>* saved = rows.saved + row * 3 * hidden;
    T* reset = rows.reset + row * hidden;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Sum<T> r = sigmoid(in[j] + product[j]);
      saved[j] = r;
      saved[hidden + j] = sigmoid(in[hidden + j] + product[hidden + j]);
      assign(reset[j], r * state[j]);
    }
  }
}

// Second half: products [count, H] of r * h.
template <typename T>
[[gnu::always_inline]] inline void reset_before_state(const StepRows<T>& rows, std::int64_t hidden,
                                                      const Sum<T>* products, std::int64_t stride) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const Sum<T>* in = rows.inputs + rows.words[row] * 3 * hidden + 2 * hidden;
    const Sum<T>* product = products + row * stride;
    Sum<T>* saved = rows.saved + row * 3 * hidden;
    Sum<T>* state = rows.state + row * hidden;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Sum<T> n = quick_tanh(in[j] + product[j]);
      saved[2 * hidden + j] = n;
      state[j] = n + saved[hidden + j] * (state[j] - n);
    }
  }
}

// Gradients of z and n; the state's own share of the gradient.
template <typename T>
[[gnu::always_inline]] inline void reset_before_backward(const StepRows<T>& rows,
                                                         std::int64_t hidden, const T* before,
                                                         std::int64_t stride) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const Sum<T>* saved = rows.saved + row * 3 * hidden;
    const T* h = before + row * stride;
    Sum<T>* state_gradient = rows.state_gradient + row * hidden;
    T* out = rows.gradients + row * 3 * hidden;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Sum<T> z = saved[hidden + j], n = saved[2 * hidden + j];
      const Sum<T> dh = state_gradient[j];
      assign(out[hidden + j], dh * (to_float(h[j]) - n) * z * (1 - z));
      assign(out[2 * hidden + j], dh * (1 - z) * (1 - n * n));
      state_gradient[j] = dh * z;
    }
  }
}

// Gradient of r, and what flows to the state through r * h. products [count, H]: that of r * h.
template <typename T>
[[gnu::always_inline]] inline void reset_before_reset(const StepRows<T>& rows, std::int64_t hidden,
                                                      const Sum<T>* products, std::int64_t stride,
                                                      const T* before, std::int64_t before_stride) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const Sum<T>* saved = rows.saved + row * 3 * hidden;
    const Sum<T>* product = products + row * stride;
    const T* h = before + row * before_stride;
    Sum<T>* state_gradient = rows.state_gradient + row * hidden;
    T* out = rows.gradients + row * 3 * hidden;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Sum<T> r = saved[j];
      state_gradient[j] += product[j] * r;
      assign(out[j], product[j] * to_float(h[j]) * r * (1 - r));
    }
  }
}

}  // namespace hinny
