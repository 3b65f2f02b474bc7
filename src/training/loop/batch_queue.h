// Batches prepared ahead of the step that needs them, on a thread of their own.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <thread>

#include "training/experiment/batch_builder.h"

namespace hinny {

// The batches of `plans`, in order. Keeps at most two ahead. Refers to what it is given. What the
// builder throws, next() throws. next() may be called once for each plan, from one thread.
class BatchQueue {
 public:
  BatchQueue(const BatchBuilder& builder, std::span<const BatchPlan> plans);
  Batch next();

 private:
  void build(const std::stop_token& stop);

  const BatchBuilder& builder_;
  std::span<const BatchPlan> plans_;
  std::mutex lock_;
  std::condition_variable_any changed_;
  std::deque<Batch> ready_;
  std::exception_ptr problem_;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace hinny
