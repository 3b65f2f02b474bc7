// The loops over single numbers of a query's way through a recurrent network.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hinny {

constexpr float kSplit = 128;

// x[i] = (kSplit * high[i] + low[i]) * scale, to 15 bits of the largest |x|. Returns the scale. A
// number that is not finite makes the scale NaN.
float split(const float* x, std::size_t count, std::int8_t* high, std::int8_t* low);

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

}  // namespace hinny
