// Every system's losses and gradients on a GPU are those on the CPU.
#include <ATen/Context.h>
#include <torch/utils.h>

#include "tests/system_cases.h"

namespace hinny {
namespace {

SmallSystem on_a_gpu(SmallSystem small) {
  small.system->to(at::kCUDA);
  small.batch.features = small.batch.features.to(at::kCUDA);
  for (Batch::Language& entry : small.batch.languages) {
    for (torch::Tensor* part :
         {&entry.captions.ids, &entry.captions.offsets, &entry.captions.rows}) {
      *part = part->to(at::kCUDA);
    }
  }
  return small;
}

class OnAGpu : public testing::TestWithParam<SystemCase> {};

TEST_P(OnAGpu, LossAndGradientsAreThoseOfTheCpu) {
  if (!at::hasCUDA()) GTEST_SKIP() << "no GPU here";
  for (const Stage stage : GetParam().stages) {
    SmallSystem here = GetParam().make(), there = on_a_gpu(GetParam().make());
    const Learnt wanted = learn(here, stage), found = learn(there, stage);
    EXPECT_GT(wanted.loss, 1e-3);
    EXPECT_NEAR(found.loss, wanted.loss, 1e-9);
    for (const auto& [name, gradient] : wanted.gradients) {
      const torch::Tensor other = found.gradients.at(name).to(at::kCPU);
      const double apart = (other - gradient).abs().max().item<double>();
      EXPECT_LT(apart, 1e-9) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, OnAGpu, testing::ValuesIn(system_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hinny
