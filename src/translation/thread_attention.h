// Attention over threads of encoder states (Huang et al. 2020, Eq. 2 to 4).
#pragma once

#include <torch/nn/module.h>

#include "recipe/choices.h"

namespace hinny {

// Sources as the decoder sees them: for each, K threads of states, one thread per region of its
// image or a single one without images.
struct SourceStates {
  torch::Tensor states;  // [sentences, threads, words, hidden], 0 after a sentence's end
  torch::Tensor mask;    // [sentences, words] 0, or -infinity after its end
  torch::Tensor means;   // [sentences, threads, hidden] of the words' states
  torch::Tensor start;   // [sentences, embedding] what decoding begins with

  std::int64_t sentences() const { return states.size(0); }
  SourceStates rows(const torch::Tensor& sentences) const;  // int64 positions
};

struct Attended {
  torch::Tensor context;  // [sentences, queries, hidden]
  torch::Tensor weights;  // [sentences, queries, threads, words], each query's sum to 1
};

// a_ij|k = softmax_j(h_i W s_jk), a_ik = softmax_k(h_i W mean_j s_jk), and the context is the sum
// of s_jk by their product. The paper leaves the score open; W is Luong's "general" one.
class ThreadAttention : public torch::nn::Module {
 public:
  ThreadAttention(std::int64_t hidden, Precision precision);
  // queries [sentences, queries, hidden]
  Attended forward(const torch::Tensor& queries, const SourceStates& source);

 private:
  torch::Tensor weight_;  // [hidden, hidden]
  Precision precision_;
};

}  // namespace hinny
