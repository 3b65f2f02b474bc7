// Packed LSTM and GRU: forward over captions of any lengths, and back. The arithmetic alone; the
// caller owns all memory and forms the inputs' part of the gates (nn/recurrent_function.h).
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/number.h"
#include "kernels/packing.h"

namespace hinny {

// Gate order as in PyTorch: LSTM i, f, g, o; GRU r, z, n. Where the GRU's reset gate stands:
// after  n = tanh(W x + b + r * (U h + b_h))   as in PyTorch and cuDNN
// before n = tanh(W x + b + U (r * h) + b_h)   as in TensorFlow (Cho et al. 2014)
enum class CellKind { lstm, gru_reset_after, gru_reset_before };

// T: what products read (float, BFloat16 or double). All rows are packed rows (Packing).
template <typename T>
struct RecurrentMemory {
  // Columns of `saved`: lstm 4H (gates), after 4H (r, z, n, U h + b_h), before 3H (gates).
  Sum<T>* saved = nullptr;  // [tokens, saved_columns()]
  Sum<T>* cells = nullptr;  // [tokens, H] lstm alone
  T* before = nullptr;      // [tokens, H] the state that each token meets
  T* reset = nullptr;       // [tokens, H] gru_reset_before alone: r * h
  // [captions, H] in the order of Packing::captions: 0 before forward, each last state after it.
  Sum<T>* state = nullptr;
  Sum<T>* outputs = nullptr;  // [tokens, H] the state after each token; null: not wanted
  // Backward. Gradients of the gates before their squashing, one column block each; for
  // gru_reset_after columns 2H.. are those of n's recurrent part and 3H.. those of its input part.
  T* gradients = nullptr;  // [tokens, saved_columns()]; may be `saved` where T is its type
  Sum<T>* state_gradient = nullptr;         // [captions, H] in: of the last states; spoilt
  Sum<T>* cell_gradient = nullptr;          // [captions, H] zeros; lstm alone; spoilt
  const Sum<T>* output_gradient = nullptr;  // [tokens, H] in: of `outputs`; null: 0
};

// Columns of RecurrentMemory::saved and ::gradients, and of the gates, for a hidden size.
std::int64_t saved_columns(CellKind kind, std::int64_t hidden);
std::int64_t gate_columns(CellKind kind, std::int64_t hidden);

template <typename T>
class RecurrentKernel {
 public:
  virtual ~RecurrentKernel() = default;
  // `inputs` [words, gate columns]: each distinct word's part of the gates, biases added (but for
  // b_h of n with gru_reset_after); `word_of` [tokens]: the word of each packed row.
  virtual void forward(const Packing& packing, const Sum<T>* inputs, const std::int32_t* word_of,
                       const RecurrentMemory<T>& memory) const = 0;
  // After forward with the same memory: fills `gradients`.
  virtual void backward(const Packing& packing, const RecurrentMemory<T>& memory) = 0;
  // weights_gradient [gate columns, H] += the sum over tokens of gradient x state, after backward.
  virtual void add_weight_gradient(const Packing& packing, const RecurrentMemory<T>& memory,
                                   Sum<T>* weight_gradient) const = 0;
};

// `weights` [gate columns, H] and, for gru_reset_after, `bias` [H] (b_h of n) are read now and
// while the kernel lives. Shards run side by side (parallel_blocks).
template <typename T>
std::unique_ptr<RecurrentKernel<T>> make_recurrent_kernel(CellKind kind, std::int64_t hidden,
                                                          const Sum<T>* weights,
                                                          const Sum<T>* bias);

}  // namespace hinny
