#include "training/loop/batch_queue.h"

#include <utility>

namespace hinny {
namespace {

constexpr std::size_t kAhead = 2;

}  // namespace

BatchQueue::BatchQueue(const BatchBuilder& builder, std::span<const BatchPlan> plans)
    : builder_(builder),
      plans_(plans),
      thread_([this](const std::stop_token& stop) { build(stop); }) {}

void BatchQueue::build(const std::stop_token& stop) {
  try {
    for (const BatchPlan& plan : plans_) {
      Batch batch = builder_.build(plan);
      std::unique_lock hold(lock_);
      if (!changed_.wait(hold, stop, [&] { return ready_.size() < kAhead; })) return;
      ready_.push_back(std::move(batch));
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard hold(lock_);
    problem_ = std::current_exception();
    changed_.notify_all();
  }
}

Batch BatchQueue::next() {
  std::unique_lock hold(lock_);
  changed_.wait(hold, [&] { return !ready_.empty() || problem_; });
  if (ready_.empty()) std::rethrow_exception(problem_);
  Batch batch = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return batch;
}

}  // namespace hinny
