#include "translation/thread_attention.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>
#include <limits>

namespace hinny {
namespace {

SourceStates some_source(std::int64_t threads) {
  torch::manual_seed(5);
  SourceStates source;
  source.states = at::randn({2, threads, 4, 6}, at::kDouble);
  source.mask = at::zeros({2, 4}, at::kDouble);
  source.mask[1][3] = -std::numeric_limits<double>::infinity();
  source.states[1].select(1, 3).zero_();
  const torch::Tensor lengths = at::zeros({2, 1, 1}, at::kDouble);
  lengths[0] = 4;
  lengths[1] = 3;
  source.means = source.states.sum(2) / lengths;
  source.start = at::zeros({2, 3}, at::kDouble);
  return source;
}

// The context of one query by the paper's equations, one number after the other.
std::vector<double> context_of(const SourceStates& source, const torch::Tensor& weight,
                               const torch::Tensor& query, std::int64_t sentence,
                               std::int64_t words) {
  const torch::Tensor states = source.states[sentence];
  const std::int64_t threads = states.size(0), hidden = states.size(2);
  const auto score = [&](const torch::Tensor& state) {
    double sum = 0;
    for (std::int64_t i = 0; i < hidden; ++i) {
      for (std::int64_t j = 0; j < hidden; ++j) {
        sum += state[i].item<double>() * weight[i][j].item<double>() * query[j].item<double>();
      }
    }
    return std::exp(sum);
  };
  double all_threads = 0;
  for (std::int64_t k = 0; k < threads; ++k) all_threads += score(source.means[sentence][k]);
  std::vector<double> context(static_cast<std::size_t>(hidden), 0.0);
  for (std::int64_t k = 0; k < threads; ++k) {
    double all_words = 0;
    for (std::int64_t j = 0; j < words; ++j) all_words += score(states[k][j]);
    for (std::int64_t j = 0; j < words; ++j) {
      const double a =
          score(states[k][j]) / all_words * score(source.means[sentence][k]) / all_threads;
      for (std::int64_t i = 0; i < hidden; ++i) {
        context[static_cast<std::size_t>(i)] += a * states[k][j][i].item<double>();
      }
    }
  }
  return context;
}

TEST(ThreadAttention, IsThePapersEquations) {
  for (const std::int64_t threads : {1, 3}) {
    const SourceStates source = some_source(threads);
    ThreadAttention attention(6, Precision::fp32);
    attention.to(at::kDouble);
    const torch::NoGradGuard no_gradient;
    const torch::Tensor queries = at::randn({2, 2, 6}, at::kDouble);
    const Attended attended = attention.forward(queries, source);
    const torch::Tensor weight = attention.parameters()[0];
    for (std::int64_t s = 0; s < 2; ++s) {
      for (std::int64_t q = 0; q < 2; ++q) {
        const auto expected = context_of(source, weight, queries[s][q], s, s == 0 ? 4 : 3);
        for (std::int64_t i = 0; i < 6; ++i) {
          EXPECT_NEAR(attended.context[s][q][i].item<double>(),
                      expected[static_cast<std::size_t>(i)], 1e-9);
        }
        EXPECT_NEAR(attended.weights[s][q].sum().item<double>(), 1, 1e-9);
      }
    }
    EXPECT_EQ(attended.weights[1].select(2, 3).abs().sum().item<double>(), 0);
  }
}

}  // namespace
}  // namespace hinny
