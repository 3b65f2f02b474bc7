// Every system's losses and gradients on a GPU are those on the CPU.
#include <ATen/Context.h>
#include <ATen/ops/zeros_like.h>
#include <torch/utils.h>

#include <map>

#include "tests/system_cases.h"

namespace hinny {
namespace {

struct Learnt {
  double loss = 0;
  std::map<std::string, torch::Tensor> gradients;  // on the CPU
};

Learnt learn(SmallSystem& small, Stage stage, at::Device device) {
  small.system->to(device);
  small.batch.features = small.batch.features.to(device);
  for (Batch::Language& entry : small.batch.languages) {
    for (torch::Tensor* part :
         {&entry.captions.ids, &entry.captions.offsets, &entry.captions.rows}) {
      *part = part->to(device);
    }
  }
  small.system->train();
  small.system->set_stage(stage, 0.5);
  const torch::Tensor loss = total_loss(small.losses());
  loss.backward();
  Learnt learnt{loss.item<double>(), {}};
  for (const auto& item : small.system->named_parameters()) {
    if (!item.value().requires_grad()) continue;
    const torch::Tensor gradient = item.value().grad();
    learnt.gradients[item.key()] =
        (gradient.defined() ? gradient : at::zeros_like(item.value())).to(at::kCPU);
  }
  return learnt;
}

class OnAGpu : public testing::TestWithParam<SystemCase> {};

TEST_P(OnAGpu, LossAndGradientsAreThoseOfTheCpu) {
  if (!at::hasCUDA()) GTEST_SKIP() << "no GPU here";
  for (const Stage stage : GetParam().stages) {
    SmallSystem here = GetParam().make(), there = GetParam().make();
    const Learnt wanted = learn(here, stage, at::kCPU), found = learn(there, stage, at::kCUDA);
    EXPECT_GT(wanted.loss, 1e-3);
    EXPECT_NEAR(found.loss, wanted.loss, 1e-9);
    for (const auto& [name, gradient] : wanted.gradients) {
      const double apart = (found.gradients.at(name) - gradient).abs().max().item<double>();
      EXPECT_LT(apart, 1e-9) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, OnAGpu, testing::ValuesIn(system_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hinny
