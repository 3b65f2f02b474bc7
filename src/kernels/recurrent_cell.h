// One step of a recurrent net over a chunk of rows: what recurrent.cc's loop over time calls.
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "kernels/gemm.h"
#include "kernels/recurrent.h"

namespace hinny {

// Rows of one step; pointers as in RecurrentMemory, moved to the first row. `before` and
// `cells_before` are null in the first step, where the state is 0 and no product is needed.
template <typename T>
struct StepRows {
  std::int64_t count = 0;
  const Sum<T>* inputs = nullptr;
  const std::int32_t* words = nullptr;
  Sum<T>* saved = nullptr;
  Sum<T>* cells = nullptr;
  const Sum<T>* cells_before = nullptr;
  const T* before = nullptr;
  T* reset = nullptr;
  Sum<T>* state = nullptr;
  T* gradients = nullptr;
  Sum<T>* state_gradient = nullptr;
  Sum<T>* cell_gradient = nullptr;
};

template <typename T>
class RecurrentCell {
 public:
  virtual ~RecurrentCell() = default;
  // `scratch`: [count, gate columns].
  virtual void forward(const StepRows<T>& rows, Sum<T>* scratch) const = 0;
  // Once before any backward, which may then run on several threads.
  virtual void prepare_backward() = 0;
  // state_gradient and cell_gradient: in of this step's state, out of the state before it.
  virtual void backward(const StepRows<T>& rows, Sum<T>* scratch) const = 0;
  // weight_gradient [gate columns, H] += over `count` tokens whose `before` is not the first.
  virtual void add_weight_gradient(std::int64_t count, const T* gradients, const T* before,
                                   const T* reset, Sum<T>* weight_gradient) const = 0;
};

// Numbers in the type that products read: a copy where that is not theirs.
template <typename T>
class Narrowed {
 public:
  Narrowed(const Sum<T>* numbers, std::int64_t count) {
    if constexpr (std::is_same_v<T, Sum<T>>) {
      data_ = numbers;
    } else {
      copy_.resize(static_cast<std::size_t>(count));
      convert(numbers, copy_.size(), copy_.data());
      data_ = copy_.data();
    }
  }
  const T* data() const { return data_; }

 private:
  const T* data_ = nullptr;
  std::vector<T> copy_;
};

template <typename T>
std::unique_ptr<RecurrentCell<T>> make_lstm_cell(std::int64_t hidden, const Sum<T>* weights);
template <typename T>
std::unique_ptr<RecurrentCell<T>> make_gru_cell(CellKind kind, std::int64_t hidden,
                                                const Sum<T>* weights, const Sum<T>* bias);

}  // namespace hinny
