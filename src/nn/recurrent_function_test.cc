#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "base/error.h"
#include "base/threads.h"
#include "nn/distance_fixture.h"
#include "nn/recurrent_torch.h"

namespace hinny {
namespace {

struct RecurrentCase {
  RecurrentWeights weights;
  torch::Tensor words;
  std::vector<std::int64_t> lengths;
  std::shared_ptr<RecurrentRun> run;
  std::vector<std::int32_t> word_of;  // end to end

  std::vector<torch::Tensor> inputs() const {
    return {words, weights.input, weights.recurrent, weights.input_bias, weights.recurrent_bias};
  }
};

constexpr std::int64_t kWords = 9;

RecurrentCase recurrent_case(CellKind kind, std::vector<std::int64_t> lengths, std::int64_t input,
                             std::int64_t hidden, at::ScalarType type = at::kFloat,
                             bool backwards = false) {
  torch::manual_seed(3);
  const std::int64_t gates = gate_columns(kind, hidden);
  const auto random = [&](at::IntArrayRef shape) {
    return (at::randn(shape, type) * 0.5).requires_grad_();
  };
  RecurrentCase c;
  c.weights = {random({gates, input}), random({gates, hidden}), random({gates}), random({gates})};
  c.words = random({kWords, input});
  c.run = std::make_shared<RecurrentRun>();
  c.run->kind = kind;
  c.run->packing = pack(lengths, static_cast<std::size_t>(thread_count()), backwards);
  for (std::size_t i = 0; i < c.run->packing.tokens.size(); ++i) {
    c.word_of.push_back(static_cast<std::int32_t>(i * i % kWords));
  }
  for (const std::int64_t token : c.run->packing.tokens) {
    c.run->word_of.push_back(c.word_of[static_cast<std::size_t>(token)]);
  }
  c.lengths = std::move(lengths);
  return c;
}

// One caption, one word after the other, by libtorch's operations.
torch::Tensor step(CellKind kind, const RecurrentWeights& w, const torch::Tensor& word,
                   const torch::Tensor& h, torch::Tensor& c) {
  const auto in = (w.input.matmul(word) + w.input_bias).chunk(kind == CellKind::lstm ? 4 : 3);
  const auto rec = (w.recurrent.matmul(h) + w.recurrent_bias).chunk(in.size());
  if (kind == CellKind::lstm) {
    c = (in[1] + rec[1]).sigmoid() * c + (in[0] + rec[0]).sigmoid() * (in[2] + rec[2]).tanh();
    return (in[3] + rec[3]).sigmoid() * c.tanh();
  }
  const torch::Tensor r = (in[0] + rec[0]).sigmoid(), z = (in[1] + rec[1]).sigmoid();
  torch::Tensor part = r * rec[2];
  if (kind == CellKind::gru_reset_before) {
    part = w.recurrent.chunk(3)[2].matmul(r * h) + w.recurrent_bias.chunk(3)[2];
  }
  const torch::Tensor n = (in[2] + part).tanh();
  return (1 - z) * n + z * h;
}

struct States {
  torch::Tensor last;  // [captions, hidden]
  torch::Tensor all;   // [tokens, hidden]
};

States one_by_one(const RecurrentCase& c, bool backwards = false) {
  std::vector<torch::Tensor> states, all(c.word_of.size());
  std::int64_t first = 0;
  for (const std::int64_t length : c.lengths) {
    torch::Tensor h = at::zeros({c.weights.recurrent.size(1)}, c.words.options()), cell = h;
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t token = first + (backwards ? length - 1 - i : i);
      h = step(c.run->kind, c.weights, c.words[c.word_of[static_cast<std::size_t>(token)]], h,
               cell);
      all[static_cast<std::size_t>(token)] = h;
    }
    states.push_back(h);
    first += length;
  }
  return {at::stack(states), at::stack(all)};
}

std::vector<torch::Tensor> gradients(const RecurrentCase& c, const torch::Tensor& states) {
  std::vector<torch::Tensor> inputs = c.inputs();
  for (torch::Tensor& input : inputs) input.mutable_grad() = torch::Tensor();
  torch::manual_seed(4);
  (states * at::rand(states.sizes(), states.options())).sum().backward();
  std::vector<torch::Tensor> result;
  for (const torch::Tensor& input : c.inputs()) result.push_back(input.grad().clone());
  return result;
}

void expect_equal(const RecurrentCase& c, const torch::Tensor& ours, const torch::Tensor& theirs) {
  EXPECT_LT((ours - theirs).abs().max().item<double>(), 1e-5);
  const auto mine = gradients(c, ours), expected = gradients(c, theirs);
  for (std::size_t i = 0; i < mine.size(); ++i)
    EXPECT_LT(relative_distance(mine[i], expected[i]), 1e-4) << i;
}

class StatesOf : public testing::TestWithParam<CellKind> {
 protected:
  void SetUp() override { set_thread_count(2); }
};

TEST_P(StatesOf, EqualOneCaptionAtATimeForwardAndBack) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < 40; ++i) lengths.push_back(1 + i * 5 % 11);  // ties and ones
  for (const bool backwards : {false, true}) {
    const RecurrentCase c = recurrent_case(GetParam(), lengths, 7, 19, at::kFloat, backwards);
    expect_equal(c, last_states(c.words, c.weights, c.run), one_by_one(c, backwards).last);
    expect_equal(c, all_states(c.words, c.weights, c.run), one_by_one(c, backwards).all);
  }
}

// What a GPU runs, here on the CPU.
TEST_P(StatesOf, EqualLibtorchs) {
  set_thread_count(1);
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{3, 0, 5, 5, 1}, std::vector<std::int64_t>{0}}) {
    const RecurrentCase c = recurrent_case(GetParam(), lengths, 7, 19, at::kFloat, true);
    if (GetParam() == CellKind::gru_reset_before) {
      EXPECT_THROW(last_states_by_torch(c.words, c.weights, *c.run), InputError);
      continue;
    }
    const torch::Tensor ours = last_states(c.words, c.weights, c.run);
    const torch::Tensor theirs = last_states_by_torch(c.words, c.weights, *c.run);
    EXPECT_LT((ours - theirs).abs().max().item<double>(), 1e-5);
    if (lengths.size() == 1) continue;
    const auto mine = gradients(c, ours), expected = gradients(c, theirs);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      EXPECT_LT(relative_distance(mine[i], expected[i]), 1e-4) << i;
    }
  }
}

TEST_P(StatesOf, NumericJacobianInDouble) {
  const RecurrentCase c = recurrent_case(GetParam(), {3, 1, 0, 4, 4}, 3, 5, at::kDouble);
  const auto analytic = gradients(c, last_states(c.words, c.weights, c.run));
  torch::manual_seed(4);
  const torch::Tensor weights = at::rand({5, 5}, at::kDouble);
  const torch::NoGradGuard no_gradient;
  const auto value = [&] {
    return (last_states(c.words, c.weights, c.run) * weights).sum().item<double>();
  };
  const auto inputs = c.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto* numbers = inputs[i].data_ptr<double>();
    for (std::int64_t j = 0; j < inputs[i].numel(); ++j) {
      constexpr double kStep = 1e-6;
      const double kept = numbers[j];
      numbers[j] = kept + kStep;
      const double above = value();
      numbers[j] = kept - kStep;
      const double below = value();
      numbers[j] = kept;
      ASSERT_NEAR(analytic[i].flatten()[j].item<double>(), (above - below) / (2 * kStep), 1e-7)
          << "input " << i << ", number " << j;
    }
  }
}

TEST_P(StatesOf, BFloat16StaysNear) {
  const RecurrentCase c = recurrent_case(GetParam(), std::vector<std::int64_t>(64, 9), 32, 48);
  const torch::Tensor full = last_states(c.words, c.weights, c.run);
  const auto expected = gradients(c, full);
  c.run->precision = Precision::bf16;
  const torch::Tensor half = last_states(c.words, c.weights, c.run);
  EXPECT_GT((half - full).abs().max().item<double>(), 1e-5) << "bf16 was not used";
  EXPECT_LT(relative_distance(half, full), 0.02);
  const auto mine = gradients(c, half);
  for (std::size_t i = 0; i < mine.size(); ++i)
    EXPECT_LT(relative_distance(mine[i], expected[i]), 0.03) << i;
}

TEST_P(StatesOf, CaptionsWithoutWordsAreZeroAndNoCaptionsAreNone) {
  const RecurrentCase some = recurrent_case(GetParam(), {0, 2, 0}, 4, 6);
  const torch::Tensor states = last_states(some.words, some.weights, some.run);
  EXPECT_EQ(states[0].abs().sum().item<float>(), 0);
  EXPECT_GT(states[1].abs().sum().item<float>(), 0);
  const RecurrentCase none = recurrent_case(GetParam(), {}, 4, 6);
  const torch::Tensor nothing = last_states(none.words, none.weights, none.run);
  EXPECT_EQ(nothing.sizes(), (std::vector<std::int64_t>{0, 6}));
  nothing.sum().backward();
  EXPECT_EQ(none.words.grad().abs().sum().item<float>(), 0);
}

TEST_P(StatesOf, SameSeedSameBits) {
  const RecurrentCase c = recurrent_case(GetParam(), std::vector<std::int64_t>(100, 6), 16, 33);
  const torch::Tensor first = last_states(c.words, c.weights, c.run);
  const auto once = gradients(c, first);
  const torch::Tensor second = last_states(c.words, c.weights, c.run);
  const auto again = gradients(c, second);
  EXPECT_TRUE(first.equal(second));
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(once[i].equal(again[i])) << i;
}

std::string cell_name(const testing::TestParamInfo<CellKind>& info) {
  switch (info.param) {
    case CellKind::lstm:
      return "lstm";
    case CellKind::gru_reset_after:
      return "gru_reset_after";
    case CellKind::gru_reset_before:
      break;
  }
  return "gru_reset_before";
}

INSTANTIATE_TEST_SUITE_P(Cells, StatesOf,
                         testing::Values(CellKind::lstm, CellKind::gru_reset_after,
                                         CellKind::gru_reset_before),
                         cell_name);

}  // namespace
}  // namespace hinny
