// The loops over single numbers of a query's way through a recurrent network and attention.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hinny {

// One step of a recurrent network. What the word and the state bring to the gates is added here,
// biases included: [gates, hidden] each. Gates of the LSTM: i, f, g, o.
void lstm_step(const float* from_word, const float* from_state, std::size_t hidden, float* state,
               float* cell);

// Gates of the GRU: r, z, n.
// reset[i] = sigmoid(r).
void gru_reset(const float* from_word, const float* from_state, std::size_t hidden, float* reset);
// `reset` multiplies what the state brings to n; null when it already has.
void gru_step(const float* from_word, const float* from_state, const float* reset,
              std::size_t hidden, float* state);

void tanh_each(float* x, std::size_t count);

// log(e^x[0] + e^x[1] + ...), count >= 1.
float log_sum_exp(const float* x, std::size_t count);

// out = weights[0] x[0] + weights[1] x[1] + ..., `x` [count, size].
void weighted_sum(const float* weights, std::size_t count, const float* x, std::size_t size,
                  float* out);

// The largest of x, count >= 1.
float largest(const float* x, std::size_t count);

// x[i] += more[i]
void add_each(const float* more, std::size_t count, float* x);

}  // namespace hinny
