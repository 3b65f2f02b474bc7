// Every system's losses and gradients, computed in shards by several, are those of one.
#include "nn/shards.h"

#include <torch/optim/adam.h>
#include <torch/utils.h>

#include "tests/system_cases.h"
#include "tests/thread_group.h"

namespace hinny {
namespace {

// What one process has for the optimiser when `group` has added up.
Learnt learn(SmallSystem& small, Stage stage, ProcessGroup* group) {
  const InGroup together(group);
  Learnt learnt = hinny::learn(small, stage, group == nullptr ? 1 : group->size());
  if (group == nullptr) return learnt;
  for (auto& [name, gradient] : learnt.gradients) group->sum(gradient);
  return learnt;
}

// 100 steps of Adam.
void train(SmallSystem& small, Stage stage, ProcessGroup* group) {
  torch::optim::Adam adam(small.system->parameters(), torch::optim::AdamOptions(1e-3));
  for (int step = 0; step < 100; ++step) {
    adam.zero_grad();
    const Learnt learnt = learn(small, stage, group);
    for (auto& item : small.system->named_parameters()) {
      const auto found = learnt.gradients.find(item.key());
      if (found != learnt.gradients.end()) item.value().mutable_grad() = found->second;
    }
    adam.step();
  }
}

class Shards : public testing::TestWithParam<SystemCase> {
 protected:
  static SmallSystem make() { return GetParam().make(); }
};

TEST_P(Shards, GradientsOfSeveralAreThoseOfOne) {
  for (const Stage stage : GetParam().stages) {
    SmallSystem one = make();
    const Learnt wanted = learn(one, stage, nullptr);
    EXPECT_GT(wanted.loss, 1e-3);
    for (const int size : {2, 3, 4, 7}) {  // 7: more than images
      std::vector<SmallSystem> systems;
      for (int rank = 0; rank < size; ++rank) systems.push_back(make());
      std::vector<Learnt> found(systems.size());
      ThreadGroup::run(size, [&](ThreadGroup& group) {
        const auto rank = static_cast<std::size_t>(group.rank());
        found[rank] = learn(systems[rank], stage, &group);
      });
      for (const Learnt& learnt : found) {
        EXPECT_NEAR(learnt.loss, wanted.loss, 1e-9);
        for (const auto& [name, gradient] : wanted.gradients) {
          const double apart = (learnt.gradients.at(name) - gradient).abs().max().item<double>();
          EXPECT_LT(apart, 1e-9) << name << " by " << size;
        }
      }
      for (const auto& [name, buffer] : one.system->named_buffers().pairs()) {
        EXPECT_TRUE(at::allclose(systems.back().system->named_buffers()[name].to(at::kDouble),
                                 buffer.to(at::kDouble), 1e-6, 1e-9))
            << name << " by " << size;
      }
    }
  }
}

TEST_P(Shards, AHundredStepsOfThreeEndWhereThoseOfOneDo) {
  const Stage stage = GetParam().stages.back();
  SmallSystem one = make();
  train(one, stage, nullptr);
  std::vector<SmallSystem> systems;
  for (int rank = 0; rank < 3; ++rank) systems.push_back(make());
  ThreadGroup::run(3, [&](ThreadGroup& group) {
    train(systems[static_cast<std::size_t>(group.rank())], stage, &group);
  });
  const SmallSystem start = make();
  double moved = 0;
  for (const auto& item : one.system->named_parameters()) {
    const torch::NoGradGuard no_gradient;
    const torch::Tensor& value = item.value();
    moved = std::max(moved, (value - start.parameter(item.key())).abs().max().item<double>());
    for (const SmallSystem& small : systems) {
      EXPECT_LT((small.parameter(item.key()) - value).abs().max().item<double>(), 1e-9)
          << item.key();
    }
  }
  EXPECT_GT(moved, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Systems, Shards, testing::ValuesIn(system_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hinny
