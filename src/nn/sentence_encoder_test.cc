#include "nn/sentence_encoder.h"

#include <ATen/Context.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/rnn.h>
#include <torch/utils.h>

#include "base/error.h"

namespace hinny {
namespace {

// Captions of 3, 1 and 2 words.
CaptionBatch batch() {
  return {at::tensor({4, 5, 6, 7, 8, 9}, at::kLong), at::tensor({0, 3, 4}, at::kLong),
          at::tensor({3, 1, 2}, at::kLong), at::zeros({3}, at::kLong)};
}

TEST(MeanEncoder, AveragesEachCaptionsOwnWords) {
  const torch::Tensor table = at::rand({10, 4});
  const auto encoder = make_sentence_encoder({EncoderKind::mean, 4, 0, false});
  const torch::Tensor out = encoder->forward(table, batch());
  EXPECT_TRUE(out[0].allclose(table.slice(0, 4, 7).mean(0)));
  EXPECT_TRUE(out[1].allclose(table[7]));
  EXPECT_TRUE(out[2].allclose(table.slice(0, 8, 10).mean(0)));
}

// LSTM i, f, g, o: f. GRU r, z, n: r and z.
TEST(RecurrentEncoder, GatesStartAsOpenAsToldTo) {
  for (const EncoderKind kind : {EncoderKind::lstm, EncoderKind::gru}) {
    const auto biases = [kind](double gate_bias) {
      torch::manual_seed(1);
      EncoderOptions options{kind, 4, 6, true};
      options.gate_bias = gate_bias;
      const auto encoder = make_sentence_encoder(options);
      const auto all = encoder->named_parameters();
      return std::pair(all["bias_ih_l0"] + all["bias_hh_l0"],
                       all["bias_ih_l0_reverse"] + all["bias_hh_l0_reverse"]);
    };
    const auto [forward, backward] = biases(1);
    const auto [plain, plain_backward] = biases(0);
    torch::Tensor expected = at::zeros({kind == EncoderKind::lstm ? 24 : 18});
    expected.slice(0, kind == EncoderKind::lstm ? 6 : 0, 12).fill_(1);
    EXPECT_TRUE((forward - plain).allclose(expected, 1e-5, 1e-6));
    EXPECT_TRUE((backward - plain_backward).allclose(expected, 1e-5, 1e-6));
  }
}

class RecurrentTest : public testing::TestWithParam<std::tuple<EncoderKind, bool>> {};

// Each caption alone through torch::nn, without packing.
TEST_P(RecurrentTest, EqualsEachCaptionRunAlone) {
  const auto [kind, bidirectional] = GetParam();
  torch::manual_seed(1);
  const torch::Tensor table = at::randn({10, 4});
  const auto encoder = make_sentence_encoder({kind, 4, 6, bidirectional});
  const torch::Tensor out = encoder->forward(table, batch());
  ASSERT_EQ(out.size(1), encoder->size());

  const torch::NoGradGuard no_gradient;
  const torch::Tensor states = encoder->states(table, batch());
  const auto starts = std::vector<std::int64_t>{4, 7, 8, 10};
  for (int c = 0; c < 3; ++c) {
    const torch::Tensor words =
        table.slice(0, starts[static_cast<std::size_t>(c)], starts[static_cast<std::size_t>(c) + 1])
            .unsqueeze(1);  // [time, 1, dim]
    torch::Tensor last;     // [dirs, 1, hidden]
    torch::Tensor all;      // [time, 1, dirs * hidden]
    if (kind == EncoderKind::lstm) {
      torch::nn::LSTM net(torch::nn::LSTMOptions(4, 6).bidirectional(bidirectional));
      for (auto& p : net->named_parameters()) p.value().copy_(encoder->named_parameters()[p.key()]);
      const auto result = net->forward(words);
      all = std::get<0>(result);
      last = std::get<0>(std::get<1>(result));
    } else {
      torch::nn::GRU net(torch::nn::GRUOptions(4, 6).bidirectional(bidirectional));
      for (auto& p : net->named_parameters()) p.value().copy_(encoder->named_parameters()[p.key()]);
      std::tie(all, last) = net->forward(words);
    }
    EXPECT_TRUE(out[c].allclose(last.transpose(0, 1).reshape({-1}), 1e-4, 1e-6))
        << name_of(kind) << c;
    const auto begin = starts[static_cast<std::size_t>(c)] - 4;
    EXPECT_TRUE(states.slice(0, begin, begin + words.size(0)).allclose(all.squeeze(1), 1e-4, 1e-6))
        << name_of(kind) << c;
  }
}

TEST(MeanEncoder, HasNoStates) {
  const auto encoder = make_sentence_encoder({EncoderKind::mean, 4, 0, false});
  EXPECT_THROW(encoder->states(at::rand({10, 4}), batch()), InputError);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RecurrentTest,
    testing::Combine(testing::Values(EncoderKind::gru, EncoderKind::lstm), testing::Bool()),
    [](const auto& info) {
      return std::string(std::get<0>(info.param) == EncoderKind::gru ? "gru" : "lstm") +
             (std::get<1>(info.param) ? "_both_ways" : "_one_way");
    });

// cuDNN's numbers and ours, forward and back.
TEST_P(RecurrentTest, OnAGpuEqualsTheCpu) {
  if (!at::hasCUDA()) GTEST_SKIP() << "no GPU here";
  const auto [kind, bidirectional] = GetParam();
  torch::manual_seed(1);
  const torch::Tensor table = at::randn({10, 8});
  const auto encoder = make_sentence_encoder({kind, 8, 16, bidirectional});
  const auto run = [&](at::Device device) {
    encoder->zero_grad(/*set_to_none=*/true);
    encoder->to(device);
    torch::Tensor words = table.to(device).detach().requires_grad_();
    CaptionBatch captions = batch();
    captions.ids = captions.ids.to(device);
    const torch::Tensor states = encoder->forward(words, captions);
    states.square().sum().backward();
    return std::pair{states.detach().to(at::kCPU), words.grad().to(at::kCPU)};
  };
  const auto [states, gradient] = run(at::kCPU);
  const auto [gpu_states, gpu_gradient] = run(at::kCUDA);
  EXPECT_LT((states - gpu_states).abs().max().item<double>(), 1e-3);  // TF32 products
  EXPECT_LT((gradient - gpu_gradient).norm().item<double>(), 1e-2 * gradient.norm().item<double>());
}

}  // namespace
}  // namespace hinny
