#include "kernels/recurrent.h"

#include <algorithm>

#include "base/phases.h"
#include "base/threads.h"
#include "kernels/recurrent_cell.h"
#include "retrieval/blas_threads.h"

namespace hinny {
namespace {

// Rows at once: their products stay in the second-level cache until the gates have used them.
constexpr std::int64_t kChunk = 256;

template <typename T>
T* moved(T* pointer, std::int64_t rows, std::int64_t columns) {
  return pointer == nullptr ? nullptr : pointer + rows * columns;
}

template <typename T>
class Kernel : public RecurrentKernel<T> {
 public:
  Kernel(CellKind kind, std::int64_t hidden, const Sum<T>* weights, const Sum<T>* bias)
      : hidden_(hidden),
        saved_columns_(saved_columns(kind, hidden)),
        gate_columns_(gate_columns(kind, hidden)),
        cell_(kind == CellKind::lstm ? make_lstm_cell<T>(hidden, weights)
                                     : make_gru_cell<T>(kind, hidden, weights, bias)) {}

  void forward(const Packing& packing, const Sum<T>* inputs, const std::int32_t* word_of,
               const RecurrentMemory<T>& memory) const override {
    each_shard(packing, [&](const Packing::Shard& shard, Sum<T>* scratch) {
      for (std::int64_t step = 0; step < shard.steps(); ++step) {
        each_chunk(shard, step, [&](std::int64_t row, std::int64_t count) {
          StepRows<T> rows = rows_of(shard, step, row, count, memory);
          rows.inputs = inputs;
          rows.words = word_of + shard.start(step) + row;
          cell_->forward(rows, scratch);
          if (memory.outputs != nullptr) {
            std::copy_n(rows.state, count * hidden_,
                        memory.outputs + (shard.start(step) + row) * hidden_);
          }
          hand_on(shard, step, row, rows, memory);
        });
      }
    });
  }

  void backward(const Packing& packing, const RecurrentMemory<T>& memory) override {
    cell_->prepare_backward();
    each_shard(packing, [&](const Packing::Shard& shard, Sum<T>* scratch) {
      for (std::int64_t step = shard.steps() - 1; step >= 0; --step) {
        each_chunk(shard, step, [&](std::int64_t row, std::int64_t count) {
          const StepRows<T> rows = rows_of(shard, step, row, count, memory);
          add_output_gradient(shard.start(step) + row, rows, memory);
          cell_->backward(rows, scratch);
        });
      }
    });
  }

  void add_weight_gradient(const Packing& packing, const RecurrentMemory<T>& memory,
                           Sum<T>* weight_gradient) const override {
    for (const Packing::Shard& shard : packing.shards) {
      if (shard.steps() < 2) continue;  // the first step meets a state of 0
      const std::int64_t first = shard.start(1);
      cell_->add_weight_gradient(
          shard.start(shard.steps()) - first, memory.gradients + first * saved_columns_,
          memory.before + first * hidden_, moved(memory.reset, first, hidden_), weight_gradient);
    }
  }

 private:
  template <typename Use>
  void each_shard(const Packing& packing, const Use& use) const {
    const OneBlasThreadEach guard;
    const InPhase phase(Phase::gates);
    parallel_blocks(packing.shards.size(), [&](std::size_t begin, std::size_t end) {
      std::vector<Sum<T>> scratch(static_cast<std::size_t>(kChunk * gate_columns_));
      for (std::size_t i = begin; i < end; ++i) use(packing.shards[i], scratch.data());
    });
  }

  template <typename Use>
  static void each_chunk(const Packing::Shard& shard, std::int64_t step, const Use& use) {
    for (std::int64_t row = 0; row < shard.active(step); row += kChunk) {
      use(row, std::min(kChunk, shard.active(step) - row));
    }
  }

  StepRows<T> rows_of(const Packing::Shard& shard, std::int64_t step, std::int64_t row,
                      std::int64_t count, const RecurrentMemory<T>& memory) const {
    const std::int64_t token = shard.start(step) + row;
    const std::int64_t caption = shard.first_caption + row;
    StepRows<T> rows;
    rows.count = count;
    rows.saved = memory.saved + token * saved_columns_;
    rows.cells = moved(memory.cells, token, hidden_);
    rows.reset = moved(memory.reset, token, hidden_);
    rows.state = moved(memory.state, caption, hidden_);
    rows.gradients = moved(memory.gradients, token, saved_columns_);
    rows.state_gradient = moved(memory.state_gradient, caption, hidden_);
    rows.cell_gradient = moved(memory.cell_gradient, caption, hidden_);
    if (step > 0) {
      rows.before = memory.before + token * hidden_;
      rows.cells_before = moved(memory.cells, shard.start(step - 1) + row, hidden_);
    }
    return rows;
  }

  // What is wanted of a state by itself joins what comes back from the steps after it.
  void add_output_gradient(std::int64_t token, const StepRows<T>& rows,
                           const RecurrentMemory<T>& memory) const {
    if (memory.output_gradient == nullptr) return;
    const Sum<T>* gradient = memory.output_gradient + token * hidden_;
    for (std::int64_t i = 0; i < rows.count * hidden_; ++i) rows.state_gradient[i] += gradient[i];
  }

  // The states after this step, to the next step's rows.
  void hand_on(const Packing::Shard& shard, std::int64_t step, std::int64_t row,
               const StepRows<T>& rows, const RecurrentMemory<T>& memory) const {
    if (step + 1 == shard.steps()) return;
    const std::int64_t going_on = std::min(rows.count, shard.active(step + 1) - row);
    if (going_on <= 0) return;
    convert(rows.state, static_cast<std::size_t>(going_on * hidden_),
            memory.before + (shard.start(step + 1) + row) * hidden_);
  }

  std::int64_t hidden_, saved_columns_, gate_columns_;
  std::unique_ptr<RecurrentCell<T>> cell_;
};

}  // namespace

std::int64_t saved_columns(CellKind kind, std::int64_t hidden) {
  return kind == CellKind::gru_reset_before ? 3 * hidden : 4 * hidden;
}

std::int64_t gate_columns(CellKind kind, std::int64_t hidden) {
  return kind == CellKind::lstm ? 4 * hidden : 3 * hidden;
}

template <typename T>
std::unique_ptr<RecurrentKernel<T>> make_recurrent_kernel(CellKind kind, std::int64_t hidden,
                                                          const Sum<T>* weights,
                                                          const Sum<T>* bias) {
  return std::make_unique<Kernel<T>>(kind, hidden, weights, bias);
}
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define HINNY_MAKE_KERNEL(T)                                             \
  template std::unique_ptr<RecurrentKernel<T>> make_recurrent_kernel<T>( \
      CellKind, std::int64_t, const Sum<T>*, const Sum<T>*);
// NOLINTEND(bugprone-macro-parentheses)
HINNY_MAKE_KERNEL(float)
HINNY_MAKE_KERNEL(BFloat16)
HINNY_MAKE_KERNEL(double)
#undef HINNY_MAKE_KERNEL

}  // namespace hinny
