#include "base/every_processor.h"
#include "kernels/gru_rows.h"

namespace hinny {
namespace {

template <typename T>
class ResetAfter : public RecurrentCell<T> {
 public:
  ResetAfter(std::int64_t hidden, const Sum<T>* weights, const Sum<T>* bias)
      : hidden_(hidden),
        bias_(bias),
        zeros_(static_cast<std::size_t>(3 * hidden)),
        no_state_(static_cast<std::size_t>(hidden)),
        weights_(weights, 3 * hidden * hidden),
        forward_(hidden, 3 * hidden, {weights_.data(), hidden, true}) {}

  void forward(const StepRows<T>& rows, Sum<T>* scratch) const override {
    const bool first = rows.before == nullptr;
    if (!first) forward_.multiply(rows.count, rows.before, hidden_, scratch, 3 * hidden_);
    on_this_processor<reset_after_forward<T>>(rows, hidden_, first ? zeros_.data() : scratch,
                                              first ? 0 : 3 * hidden_, bias_);
  }

  void prepare_backward() override {
    backward_.emplace(3 * hidden_, hidden_, Operand<T>{weights_.data(), hidden_});
  }

  void backward(const StepRows<T>& rows, Sum<T>*) const override {
    const bool first = rows.before == nullptr;
    on_this_processor<reset_after_backward<T>>(
        rows, hidden_, first ? no_state_.data() : rows.before, first ? 0 : hidden_);
    if (first) return;
    backward_->multiply(rows.count, rows.gradients, 4 * hidden_, rows.state_gradient, hidden_,
                        /*accumulate=*/true);
  }

  void add_weight_gradient(std::int64_t count, const T* gradients, const T* before, const T*,
                           Sum<T>* weight_gradient) const override {
    gemm<T>({3 * hidden_, hidden_, count}, {gradients, 4 * hidden_, true}, {before, hidden_},
            weight_gradient, hidden_, /*accumulate=*/true);
  }

 private:
  std::int64_t hidden_;
  const Sum<T>* bias_;
  std::vector<Sum<T>> zeros_;
  std::vector<T> no_state_;
  Narrowed<T> weights_;
  PackedMatrix<T> forward_;
  std::optional<PackedMatrix<T>> backward_;
};

template <typename T>
class ResetBefore : public RecurrentCell<T> {
 public:
  ResetBefore(std::int64_t hidden, const Sum<T>* weights)
      : hidden_(hidden),
        zeros_(static_cast<std::size_t>(2 * hidden)),
        no_state_(static_cast<std::size_t>(hidden)),
        weights_(weights, 3 * hidden * hidden),
        gates_(hidden, 2 * hidden, {weights_.data(), hidden, true}),
        state_(hidden, hidden, {weights_.data() + 2 * hidden * hidden, hidden, true}) {}

  void forward(const StepRows<T>& rows, Sum<T>* scratch) const override {
    const bool first = rows.before == nullptr;
    if (!first) gates_.multiply(rows.count, rows.before, hidden_, scratch, 2 * hidden_);
    on_this_processor<reset_before_gates<T>>(rows, hidden_, first ? zeros_.data() : scratch,
                                             first ? 0 : 2 * hidden_);
    if (!first) state_.multiply(rows.count, rows.reset, hidden_, scratch, hidden_);
    on_this_processor<reset_before_state<T>>(rows, hidden_, first ? zeros_.data() : scratch,
                                             first ? 0 : hidden_);
  }

  void prepare_backward() override {
    gates_back_.emplace(2 * hidden_, hidden_, Operand<T>{weights_.data(), hidden_});
    state_back_.emplace(hidden_, hidden_,
                        Operand<T>{weights_.data() + 2 * hidden_ * hidden_, hidden_});
  }

  void backward(const StepRows<T>& rows, Sum<T>* scratch) const override {
    const bool first = rows.before == nullptr;
    const T* before = first ? no_state_.data() : rows.before;
    const std::int64_t stride = first ? 0 : hidden_;
    on_this_processor<reset_before_backward<T>>(rows, hidden_, before, stride);
    if (!first) {
      state_back_->multiply(rows.count, rows.gradients + 2 * hidden_, 3 * hidden_, scratch,
                            hidden_);
    }
    on_this_processor<reset_before_reset<T>>(rows, hidden_, first ? zeros_.data() : scratch, stride,
                                             before, stride);
    if (first) return;
    gates_back_->multiply(rows.count, rows.gradients, 3 * hidden_, rows.state_gradient, hidden_,
                          /*accumulate=*/true);
  }

  void add_weight_gradient(std::int64_t count, const T* gradients, const T* before, const T* reset,
                           Sum<T>* weight_gradient) const override {
    gemm<T>({2 * hidden_, hidden_, count}, {gradients, 3 * hidden_, true}, {before, hidden_},
            weight_gradient, hidden_, /*accumulate=*/true);
    gemm<T>({hidden_, hidden_, count}, {gradients + 2 * hidden_, 3 * hidden_, true},
            {reset, hidden_}, weight_gradient + 2 * hidden_ * hidden_, hidden_,
            /*accumulate=*/true);
  }

 private:
  std::int64_t hidden_;
  std::vector<Sum<T>> zeros_;
  std::vector<T> no_state_;
  Narrowed<T> weights_;
  PackedMatrix<T> gates_, state_;
  std::optional<PackedMatrix<T>> gates_back_, state_back_;
};

}  // namespace

template <typename T>
std::unique_ptr<RecurrentCell<T>> make_gru_cell(CellKind kind, std::int64_t hidden,
                                                const Sum<T>* weights, const Sum<T>* bias) {
  if (kind == CellKind::gru_reset_before) return std::make_unique<ResetBefore<T>>(hidden, weights);
  return std::make_unique<ResetAfter<T>>(hidden, weights, bias);
}
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define HINNY_MAKE_GRU(T)                                                             \
  template std::unique_ptr<RecurrentCell<T>> make_gru_cell<T>(CellKind, std::int64_t, \
                                                              const Sum<T>*, const Sum<T>*);
// NOLINTEND(bugprone-macro-parentheses)
HINNY_MAKE_GRU(float)
HINNY_MAKE_GRU(BFloat16)
HINNY_MAKE_GRU(double)
#undef HINNY_MAKE_GRU

}  // namespace hinny
