#include "nn/recurrent_function.h"

#include <ATen/core/ivalue.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstring>

#include "kernels/gemm.h"
#include "kernels/token_sums.h"

namespace hinny {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <typename T>
Sum<T>* numbers(const torch::Tensor& tensor) {
  return tensor.defined() ? static_cast<Sum<T>*>(tensor.data_ptr()) : nullptr;
}

// As products read it.
template <typename T>
torch::Tensor as_read(const torch::Tensor& tensor) {
  return std::is_same_v<T, BFloat16> ? tensor.to(at::kBFloat16) : tensor;
}

template <typename T>
const T* read_numbers(const torch::Tensor& tensor) {
  return static_cast<const T*>(tensor.data_ptr());
}

enum class WhichStates { last, all };

// One forward pass and, where gradients are wanted, what it left for the way back.
class Pass : public torch::CustomClassHolder {
 public:
  // `words` and the weights as in last_states, in one vector: words, input, recurrent, two biases.
  virtual torch::Tensor forward(const variable_list& inputs) = 0;
  virtual variable_list backward(const variable_list& inputs, const torch::Tensor& gradient) = 0;
};

template <typename T>
class PassIn : public Pass {
 public:
  PassIn(std::shared_ptr<const RecurrentRun> run, WhichStates states)
      : run_(std::move(run)), states_(states) {}
  torch::Tensor forward(const variable_list& inputs) override;
  variable_list backward(const variable_list& inputs, const torch::Tensor& gradient) override;

 private:
  std::int64_t tokens() const { return static_cast<std::int64_t>(run_->packing.tokens.size()); }
  std::int64_t captions() const { return static_cast<std::int64_t>(run_->packing.captions.size()); }
  torch::Tensor input_gates(const variable_list& inputs) const;
  RecurrentMemory<T> memory() const;
  void make_memory(at::TensorOptions options);
  torch::Tensor gate_gradients(std::int64_t words, std::int64_t gates, at::TensorOptions options);
  // In the batch, of each row that goes out: tokens or captions.
  const std::vector<std::int64_t>& places() const {
    return states_ == WhichStates::all ? run_->packing.tokens : run_->packing.captions;
  }

  std::shared_ptr<const RecurrentRun> run_;
  WhichStates states_;
  std::int64_t hidden_ = 0;
  std::unique_ptr<RecurrentKernel<T>> kernel_;
  torch::Tensor saved_, cells_, before_, reset_, state_, outputs_;
  torch::Tensor gradients_, state_gradient_, cell_gradient_, output_gradient_;
};

// Rows of captions or of tokens between the order of the batch and that of the packing.
void unsort(const std::vector<std::int64_t>& places, const torch::Tensor& from, bool to_sorted,
            const torch::Tensor& to) {
  const std::size_t row = static_cast<std::size_t>(from.size(1)) * from.element_size();
  const auto* source = static_cast<const char*>(from.data_ptr());
  auto* target = static_cast<char*>(to.data_ptr());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<std::size_t>(places[i]);
    std::memcpy(target + (to_sorted ? i : place) * row, source + (to_sorted ? place : i) * row,
                row);
  }
}

template <typename T>
void PassIn<T>::make_memory(at::TensorOptions options) {
  const at::TensorOptions narrow =
      std::is_same_v<T, BFloat16> ? options.dtype(at::kBFloat16) : options;
  const std::int64_t columns = saved_columns(run_->kind, hidden_);
  saved_ = at::empty({tokens(), columns}, options);
  before_ = at::empty({tokens(), hidden_}, narrow);
  if (run_->kind == CellKind::lstm) cells_ = at::empty({tokens(), hidden_}, options);
  if (run_->kind == CellKind::gru_reset_before) reset_ = at::empty({tokens(), hidden_}, narrow);
  state_ = at::zeros({captions(), hidden_}, options);
  if (states_ == WhichStates::all) outputs_ = at::empty({tokens(), hidden_}, options);
}

template <typename T>
RecurrentMemory<T> PassIn<T>::memory() const {
  const auto narrow = [](const torch::Tensor& tensor) {
    return tensor.defined() ? static_cast<T*>(tensor.data_ptr()) : nullptr;
  };
  RecurrentMemory<T> memory;
  memory.saved = numbers<T>(saved_);
  memory.cells = numbers<T>(cells_);
  memory.before = narrow(before_);
  memory.reset = narrow(reset_);
  memory.state = numbers<T>(state_);
  memory.outputs = numbers<T>(outputs_);
  memory.output_gradient = numbers<T>(output_gradient_);
  memory.gradients = narrow(gradients_);
  memory.state_gradient = numbers<T>(state_gradient_);
  memory.cell_gradient = numbers<T>(cell_gradient_);
  return memory;
}

// words x input weights + biases. The recurrent bias of the GRU's n stands inside the reset gate
// when that comes after the product, and is left to the kernel.
template <typename T>
torch::Tensor PassIn<T>::input_gates(const variable_list& inputs) const {
  const torch::Tensor words = as_read<T>(inputs[0]), weights = as_read<T>(inputs[1]);
  const std::int64_t gates = weights.size(0), width = weights.size(1);
  torch::Tensor bias = inputs[3] + inputs[4];
  if (run_->kind == CellKind::gru_reset_after) {
    bias.slice(0, 2 * hidden_).copy_(inputs[3].slice(0, 2 * hidden_));
  }
  torch::Tensor result = bias.expand({words.size(0), gates}).contiguous();
  gemm<T>({words.size(0), gates, width}, {read_numbers<T>(words), width},
          {read_numbers<T>(weights), width, true}, numbers<T>(result), gates, /*accumulate=*/true);
  return result;
}

template <typename T>
torch::Tensor PassIn<T>::forward(const variable_list& inputs) {
  const torch::Tensor& recurrent = inputs[2];
  hidden_ = recurrent.size(1);
  const torch::Tensor gates = input_gates(inputs);
  make_memory(recurrent.options().requires_grad(false));
  kernel_ = make_recurrent_kernel<T>(run_->kind, hidden_, numbers<T>(recurrent),
                                     numbers<T>(inputs[4]) + 2 * hidden_);
  kernel_->forward(run_->packing, numbers<T>(gates), run_->word_of.data(), memory());
  const torch::Tensor& sorted = states_ == WhichStates::all ? outputs_ : state_;
  torch::Tensor result = at::empty_like(sorted);
  unsort(places(), sorted, false, result);
  outputs_ = torch::Tensor();
  return result;
}

// The gradient of each distinct word's gates: the sum over its tokens.
template <typename T>
torch::Tensor PassIn<T>::gate_gradients(std::int64_t words, std::int64_t gates,
                                        at::TensorOptions options) {
  torch::Tensor sums = at::zeros({words, gates}, options);
  const std::int64_t stride = saved_columns(run_->kind, hidden_);
  const auto* rows = static_cast<const T*>(gradients_.data_ptr());
  const std::int64_t shared = run_->kind == CellKind::gru_reset_after ? 2 * hidden_ : gates;
  add_by_word<T>({rows, stride, 0, shared}, run_->word_of, numbers<T>(sums), gates);
  if (shared < gates) {
    add_by_word<T>({rows, stride, 3 * hidden_, hidden_}, run_->word_of, numbers<T>(sums) + shared,
                   gates);
  }
  return sums;
}

template <typename T>
variable_list PassIn<T>::backward(const variable_list& inputs, const torch::Tensor& gradient) {
  const auto& [words, input] = std::tie(inputs[0], inputs[1]);
  const at::TensorOptions options = gradient.options();
  torch::Tensor sorted = at::empty_like(gradient, at::MemoryFormat::Contiguous);
  unsort(places(), gradient.contiguous(), true, sorted);
  state_gradient_ = states_ == WhichStates::all ? at::zeros_like(state_) : sorted;
  if (states_ == WhichStates::all) output_gradient_ = sorted;
  if (run_->kind == CellKind::lstm) cell_gradient_ = at::zeros_like(state_);
  gradients_ = std::is_same_v<T, BFloat16> ? at::empty(saved_.sizes(), before_.options()) : saved_;
  kernel_->backward(run_->packing, memory());

  torch::Tensor recurrent_gradient = at::zeros_like(inputs[2]);
  kernel_->add_weight_gradient(run_->packing, memory(), numbers<T>(recurrent_gradient));
  const std::int64_t gates = input.size(0), width = input.size(1), count = words.size(0);
  const torch::Tensor sums = gate_gradients(count, gates, options);
  torch::Tensor input_gradient = at::empty_like(input), word_gradient = at::empty_like(words);
  const torch::Tensor read_sums = as_read<T>(sums);
  gemm<T>({gates, width, count}, {read_numbers<T>(read_sums), gates, true},
          {read_numbers<T>(as_read<T>(words)), width}, numbers<T>(input_gradient), width);
  gemm<T>({count, width, gates}, {read_numbers<T>(read_sums), gates},
          {read_numbers<T>(as_read<T>(input)), width}, numbers<T>(word_gradient), width);
  const torch::Tensor bias_gradient = sums.sum(0);
  torch::Tensor recurrent_bias_gradient = bias_gradient.clone();
  if (run_->kind == CellKind::gru_reset_after) {
    const std::vector<std::int32_t> all(run_->word_of.size(), 0);
    torch::Tensor part = recurrent_bias_gradient.slice(0, 2 * hidden_).zero_();
    add_by_word<T>(
        {static_cast<const T*>(gradients_.data_ptr()), 4 * hidden_, 2 * hidden_, hidden_}, all,
        numbers<T>(part), hidden_);
  }
  // The largest memory of a step.
  saved_ = cells_ = before_ = reset_ = gradients_ = output_gradient_ = torch::Tensor();
  return {word_gradient, input_gradient, recurrent_gradient, bias_gradient,
          recurrent_bias_gradient};
}

class Recurrence : public torch::autograd::Function<Recurrence> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& words,
                               const torch::Tensor& input, const torch::Tensor& recurrent,
                               const torch::Tensor& input_bias, const torch::Tensor& recurrent_bias,
                               const c10::intrusive_ptr<Pass>& pass) {
    context->save_for_backward({words, input, recurrent, input_bias, recurrent_bias});
    context->saved_data["pass"] = c10::IValue::make_capsule(pass);
    return pass->forward({words, input, recurrent, input_bias, recurrent_bias});
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto capsule = context->saved_data["pass"].toCapsule();
    variable_list result =
        static_cast<Pass&>(*capsule).backward(context->get_saved_variables(), gradients[0]);
    context->saved_data.clear();
    result.emplace_back();  // the pass itself
    return result;
  }
};

torch::Tensor states(const torch::Tensor& words, const RecurrentWeights& weights,
                     std::shared_ptr<const RecurrentRun> run, WhichStates which) {
  c10::intrusive_ptr<Pass> pass;
  if (words.scalar_type() == at::kDouble) {
    pass = c10::make_intrusive<PassIn<double>>(std::move(run), which);
  } else if (run->precision == Precision::bf16) {
    pass = c10::make_intrusive<PassIn<BFloat16>>(std::move(run), which);
  } else {
    pass = c10::make_intrusive<PassIn<float>>(std::move(run), which);
  }
  return Recurrence::apply(words, weights.input, weights.recurrent, weights.input_bias,
                           weights.recurrent_bias, pass);
}

}  // namespace

torch::Tensor last_states(const torch::Tensor& words, const RecurrentWeights& weights,
                          std::shared_ptr<const RecurrentRun> run) {
  return states(words, weights, std::move(run), WhichStates::last);
}

torch::Tensor all_states(const torch::Tensor& words, const RecurrentWeights& weights,
                         std::shared_ptr<const RecurrentRun> run) {
  return states(words, weights, std::move(run), WhichStates::all);
}

}  // namespace hinny
