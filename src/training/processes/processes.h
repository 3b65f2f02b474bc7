// Several processes, on one machine or many, that train one model (docs/many-processes.md).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "nn/process_group.h"
#include "training/experiment/tensor_file.h"
#include "training/processes/launch.h"

namespace hinny {

// Over libtorch's c10d and Gloo. Of one thread; a watch of its own ends the process within half a
// minute after another has gone without a word.
class Processes : public ProcessGroup {
 public:
  bool first() const { return rank() == 0; }
  // Process 0's numbers take the place of `values`, which are contiguous.
  virtual void broadcast(const torch::Tensor& values) = 0;
  // The largest of each number over all processes takes the place of `values`.
  virtual void largest(const torch::Tensor& values) = 0;
  // sum, beside other work: when what it returns has been called, the sum is there. Sums that were
  // started are taken in the same order everywhere.
  virtual std::function<void()> start_sum(const torch::Tensor& values) = 0;
  // The last call: this process has done its part, and the others go on without it. Process 0 ends
  // last.
  virtual void leave() = 0;
  // Bytes that were gathered or reduced so far: each sum once, however often its parts travel.
  virtual std::uint64_t exchanged() const = 0;
};

// Waits until all have come. Failure after two minutes, or when a connection cannot be made;
// InputError when this program was built without Gloo.
std::unique_ptr<Processes> join(const Launch& launch);

// Process 0's text.
std::string shared_text(Processes& processes, const std::string& text);
// Process 0's tensors and metadata, on all.
TensorFile share_tensors(Processes& processes, const TensorFile& tensors);
// InputError on all when `text`, which says `what` is at work, differs between processes.
void check_same(Processes& processes, const std::string& what, const std::string& text);

}  // namespace hinny
