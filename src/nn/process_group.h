// The processes that train one model together, each its share of a batch's rows.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace hinny {

// Its functions are called by every process, in the same order and with tensors of the same shapes
// but for the rows of a part; they wait for the others. Failure when one of those is gone.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;
  virtual int rank() const = 0;  // from 0
  virtual int size() const = 0;
  // The parts of all, by rank, end to end: this process's rows of shard_of(rows), [n, ...], -> all
  // [rows, ...]. Without gradients.
  virtual torch::Tensor gather(const torch::Tensor& part, std::int64_t rows) = 0;
  // The sum over all processes takes the place of `values`, which are contiguous.
  virtual void sum(const torch::Tensor& values) = 0;
};

}  // namespace hinny
