// A process group whose processes are threads of a test.
#pragma once

#include <ATen/ops/cat.h>

#include <barrier>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "nn/process_group.h"
#include "nn/shards.h"

namespace hinny {

class ThreadGroup : public ProcessGroup {
 public:
  // What the threads see of each other.
  struct Meeting {
    explicit Meeting(int size) : tensors(static_cast<std::size_t>(size)), all(size) {}
    std::vector<torch::Tensor> tensors;
    std::barrier<> all;
  };

  ThreadGroup(std::shared_ptr<Meeting> meeting, int rank)
      : meeting_(std::move(meeting)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_->tensors.size()); }
  torch::Tensor gather(const torch::Tensor& part, std::int64_t) override {
    return meet(part, [&] { return at::cat(meeting_->tensors); });
  }
  void sum(const torch::Tensor& values) override {
    const torch::Tensor all = meet(values.clone(), [&] {
      torch::Tensor total = meeting_->tensors.front().clone();
      for (std::size_t i = 1; i < meeting_->tensors.size(); ++i) total += meeting_->tensors[i];
      return total;
    });
    values.copy_(all);
  }

  // Runs `use` on a thread of its own for each of `size` ranks.
  static void run(int size, const std::function<void(ThreadGroup&)>& use) {
    const auto meeting = std::make_shared<Meeting>(size);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadGroup group(meeting, rank);
        use(group);
      });
    }
  }

 private:
  torch::Tensor meet(const torch::Tensor& own, const std::function<torch::Tensor()>& use) {
    const torch::NoGradGuard no_gradient;
    meeting_->tensors[static_cast<std::size_t>(rank_)] = own;
    meeting_->all.arrive_and_wait();
    torch::Tensor result = use();
    meeting_->all.arrive_and_wait();
    return result;
  }

  std::shared_ptr<Meeting> meeting_;
  int rank_;
};

}  // namespace hinny
