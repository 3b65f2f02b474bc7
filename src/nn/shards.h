// Work on the rows of a batch that several processes share: each computes its own shard, and all
// see what the others made. A batch is whole on every process; what is cheap is computed by each.
//
// The rule that makes gradients those of one process, whatever their number N: every process takes
// the gradient of the N-th part of the loss, and the gradients of a parameter are summed over
// processes. Then it does not matter whether a parameter lies before a gathering, where each
// process has the share of its own rows, or behind one, where all have the same.
#pragma once

#include <torch/types.h>

#include <functional>

#include "nn/process_group.h"

namespace torch::autograd {
struct AutogradContext;
}

namespace hinny {

// Rows [first, first + count) of `all`.
struct Shard {
  std::int64_t first = 0, count = 0, all = 0;
  ProcessGroup* group = nullptr;  // has the others; null: these are all rows

  torch::Tensor of(const torch::Tensor& rows) const {
    return group == nullptr ? rows : rows.narrow(0, first, count);
  }
};
inline Shard all_rows(std::int64_t rows) { return {0, rows, rows}; }
// The shard of one process of the group.
Shard shard_of(std::int64_t rows, ProcessGroup& group, int rank);
inline Shard shard_of(std::int64_t rows, ProcessGroup& group) {
  return shard_of(rows, group, group.rank());
}

// As long as one lives, in_shards on this thread shares with the group; null: it does not.
class InGroup {
 public:
  explicit InGroup(ProcessGroup* group);
  ~InGroup();
  InGroup(const InGroup&) = delete;
  InGroup& operator=(const InGroup&) = delete;

 private:
  ProcessGroup* before_;
};

// `compute` makes [shard.count, ...] of a shard of `rows` rows -> [rows, ...], with gradients. What
// becomes of it must be the same on every process (or see used_in_shards). Every process computes
// all rows when they are fewer than processes.
torch::Tensor in_shards(std::int64_t rows,
                        const std::function<torch::Tensor(const Shard&)>& compute);

// The same numbers, for use in what another in_shards computes: their gradients are then summed
// over processes.
torch::Tensor used_in_shards(const torch::Tensor& rows);

// For an autograd function: the group that its way back asks.
void store_group(torch::autograd::AutogradContext* context, ProcessGroup* group);
ProcessGroup& stored_group(torch::autograd::AutogradContext* context);

}  // namespace hinny
