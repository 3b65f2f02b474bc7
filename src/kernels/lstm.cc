#include "base/every_processor.h"
#include "base/vector_math.h"
#include "kernels/recurrent_cell.h"

namespace hinny {
namespace {

template <typename T>
[[gnu::always_inline]] inline void forward_rows(const StepRows<T>& rows, std::int64_t hidden,
                                                const Sum<T>* products, std::int64_t stride,
                                                const Sum<T>* cells_before,
                                                std::int64_t cell_stride) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const Sum<T>* in = rows.inputs + rows.words[row] * 4 * hidden;
    const Sum<T>* product = products + row * stride;
    const Sum<T>* cell_before = cells_before + row * cell_stride;
    Sum<T>* saved = rows.saved + row * 4 * hidden;
    Sum<T>* cell = rows.cells + row * hidden;
    Sum<T>* state = rows.state + row * hidden;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Sum<T> i = sigmoid(in[j] + product[j]);
      const Sum<T> f = sigmoid(in[hidden + j] + product[hidden + j]);
      const Sum<T> g = quick_tanh(in[2 * hidden + j] + product[2 * hidden + j]);
      const Sum<T> o = sigmoid(in[3 * hidden + j] + product[3 * hidden + j]);
      const Sum<T> c = f * cell_before[j] + i * g;
      saved[j] = i;
      saved[hidden + j] = f;
      saved[2 * hidden + j] = g;
      saved[3 * hidden + j] = o;
      cell[j] = c;
      state[j] = o * quick_tanh(c);
    }
  }
}

template <typename T>
[[gnu::always_inline]] inline void backward_rows(const StepRows<T>& rows, std::int64_t hidden,
                                                 const Sum<T>* cells_before,
                                                 std::int64_t cell_stride) {
  for (std::int64_t row = 0; row < rows.count; ++row) {
    const Sum<T>* saved = rows.saved + row * 4 * hidden;
    const Sum<T>* cell = rows.cells + row * hidden;
    const Sum<T>* cell_before = cells_before + row * cell_stride;
    const Sum<T>* state_gradient = rows.state_gradient + row * hidden;
    Sum<T>* cell_gradient = rows.cell_gradient + row * hidden;
    T* out = rows.gradients + row * 4 * hidden;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < hidden; ++j) {
      const Sum<T> i = saved[j], f = saved[hidden + j];
      const Sum<T> g = saved[2 * hidden + j], o = saved[3 * hidden + j];
      const Sum<T> squashed = quick_tanh(cell[j]);
      const Sum<T> dh = state_gradient[j];
      const Sum<T> dc = cell_gradient[j] + dh * o * (1 - squashed * squashed);
      assign(out[j], dc * g * i * (1 - i));
      assign(out[hidden + j], dc * cell_before[j] * f * (1 - f));
      assign(out[2 * hidden + j], dc * i * (1 - g * g));
      assign(out[3 * hidden + j], dh * squashed * o * (1 - o));
      cell_gradient[j] = dc * f;
    }
  }
}

template <typename T>
class LstmCell : public RecurrentCell<T> {
 public:
  LstmCell(std::int64_t hidden, const Sum<T>* weights)
      : hidden_(hidden),
        zeros_(static_cast<std::size_t>(4 * hidden)),
        weights_(weights, 4 * hidden * hidden),
        forward_(hidden, 4 * hidden, {weights_.data(), hidden, true}) {}

  void forward(const StepRows<T>& rows, Sum<T>* scratch) const override {
    const bool first = rows.before == nullptr;
    if (!first) forward_.multiply(rows.count, rows.before, hidden_, scratch, 4 * hidden_);
    on_this_processor<forward_rows<T>>(
        rows, hidden_, first ? zeros_.data() : scratch, first ? 0 : 4 * hidden_,
        first ? zeros_.data() : rows.cells_before, first ? 0 : hidden_);
  }

  void prepare_backward() override {
    backward_.emplace(4 * hidden_, hidden_, Operand<T>{weights_.data(), hidden_});
  }

  void backward(const StepRows<T>& rows, Sum<T>*) const override {
    const bool first = rows.before == nullptr;
    on_this_processor<backward_rows<T>>(rows, hidden_, first ? zeros_.data() : rows.cells_before,
                                        first ? 0 : hidden_);
    if (first) return;
    backward_->multiply(rows.count, rows.gradients, 4 * hidden_, rows.state_gradient, hidden_);
  }

  void add_weight_gradient(std::int64_t count, const T* gradients, const T* before, const T*,
                           Sum<T>* weight_gradient) const override {
    gemm<T>({4 * hidden_, hidden_, count}, {gradients, 4 * hidden_, true}, {before, hidden_},
            weight_gradient, hidden_, /*accumulate=*/true);
  }

 private:
  std::int64_t hidden_;
  std::vector<Sum<T>> zeros_;
  Narrowed<T> weights_;
  PackedMatrix<T> forward_;
  std::optional<PackedMatrix<T>> backward_;
};

}  // namespace

template <typename T>
std::unique_ptr<RecurrentCell<T>> make_lstm_cell(std::int64_t hidden, const Sum<T>* weights) {
  return std::make_unique<LstmCell<T>>(hidden, weights);
}
template std::unique_ptr<RecurrentCell<float>> make_lstm_cell(std::int64_t, const float*);
template std::unique_ptr<RecurrentCell<BFloat16>> make_lstm_cell<BFloat16>(std::int64_t,
                                                                           const float*);
template std::unique_ptr<RecurrentCell<double>> make_lstm_cell(std::int64_t, const double*);

}  // namespace hinny
