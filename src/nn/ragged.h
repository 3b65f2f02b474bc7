// Groups of different lengths (the words of sentences), end to end or padded to the longest.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace hinny {

class Ragged {
 public:
  explicit Ragged(const torch::Tensor& lengths);  // [groups] int64 on the CPU, each >= 1

  std::int64_t longest() const { return longest_; }
  const torch::Tensor& lengths() const { return lengths_; }
  torch::Tensor first() const { return first_; }  // [groups] the first item's place of each
  torch::Tensor last() const { return first_ + lengths_ - 1; }
  const torch::Tensor& there() const { return there_; }  // [groups, longest] bool, on the CPU
  torch::Tensor mask() const;  // [groups, longest] 0, or -infinity after the end
  // [items, dim] -> [groups, longest, dim], 0 after the end; and back.
  torch::Tensor pad(const torch::Tensor& items) const;
  torch::Tensor packed(const torch::Tensor& padded) const;

 private:
  torch::Tensor lengths_, first_;
  torch::Tensor there_;
  torch::Tensor places_;  // [items] where each is when padded, [groups * longest]
  std::int64_t longest_ = 0;
};

}  // namespace hinny
