// The gradients of several processes, added up (nn/shards.h says of what).
#pragma once

#include <functional>
#include <vector>

#include "training/processes/processes.h"

namespace hinny {

// Gradients travel in buckets of a few megabytes, the last layers' first, each as soon as it is
// complete, while the others are still computed. Of tables of words only the rows travel that some
// process has a gradient for. A step: start, the gradients, finish.
class GradientSums {
 public:
  // Of the parameters of `model` that learn. Both must outlive it, and the model must not run
  // backwards after it.
  GradientSums(torch::nn::Module& model, Processes& processes);
  ~GradientSums();
  GradientSums(const GradientSums&) = delete;
  GradientSums& operator=(const GradientSums&) = delete;

  // Before the gradients are computed, when none is there.
  void start();
  // After: every parameter's gradient is the sum over processes, or undefined where none has one.
  // True when `ask` is true on any process.
  bool finish(bool ask);

 private:
  struct Item {
    torch::Tensor parameter;
    std::size_t bucket = 0;
    std::int64_t begin = 0;  // in the bucket
    std::int64_t size = 0;
    bool of_words = false;  // a table whose rows travel alone
    bool there = false;     // has a gradient
    unsigned hook = 0;
  };
  struct Bucket {
    torch::Tensor numbers;
    std::int64_t size = 0;
    std::size_t items = 0, ready = 0;
    std::function<void()> wait;
  };

  void place(Item& item);
  void take(Item& item, const torch::Tensor& gradient);
  void send_ready();
  bool agree(bool ask);
  void sum_words();
  void hand_back();

  Processes& processes_;
  std::vector<Item> items_;
  std::vector<Bucket> buckets_;
  std::size_t sent_ = 0;  // buckets
};

}  // namespace hinny
