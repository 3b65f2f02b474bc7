// Every system's losses and gradients, computed in shards by several, are those of one.
#include "nn/shards.h"

#include <ATen/ops/zeros_like.h>
#include <torch/optim/adam.h>
#include <torch/utils.h>

#include <map>

#include "tests/small_system.h"
#include "tests/thread_group.h"

namespace hinny {
namespace {

using Keys = SmallSystem::Keys;

struct Case {
  std::string name;
  Keys keys;
  std::vector<Stage> stages = {Stage::full};
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

const Keys kTriplet = {"loss.kind=triplet", "loss.margin=0.4", "loss.temperature=0.2"};
const Keys kInfoNce = {"loss.kind=infonce", "loss.temperature=0.2"};
const Keys kWithNorm = {"image.hidden=6", "image.batch_norm=true"};
const Keys kMule = {"system=mule",
                    "text.mule_dim=6",
                    "text.vocabulary=per-language",
                    "text.encoder=lstm",
                    "loss.adversary=0.5",
                    "loss.word_drift=0.1",
                    "loss.neighbourhood=0.3",
                    "loss.cross_neighbourhood=0.2",
                    "loss.neighbours=both-ways"};
const Keys kRegion = {"text.encoder=gru", "text.bidirectional=true", "text.project=false",
                      "loss.mining=max"};

Keys all_of(const std::vector<Keys>& parts) {
  Keys keys;
  for (const Keys& part : parts) keys = SmallSystem::joined(keys, part);
  return keys;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [loss, keys] : std::map<std::string, Keys>{
           {"triplet", kTriplet},
           {"hardest", all_of({kTriplet, {"loss.mining=max", "loss.reduction=sum"}})},
           {"topk",
            all_of({kTriplet, {"loss.mining=hardest", "loss.hardest=2", "loss.hinges=mean"}})},
           {"infonce", kInfoNce}}) {
    all.push_back(
        {"embn_" + loss,
         all_of(
             {{"system=embn", "text.encoder=mean", "loss.neighbourhood=0.5"}, kWithNorm, keys})});
    all.push_back({"vse_" + loss, all_of({{"system=vse", "text.encoder=gru"}, keys})});
    all.push_back({"bag_" + loss, all_of({{"system=bag", "text.encoder=mean"}, kWithNorm, keys})});
    all.push_back(
        {"mule_" + loss, all_of({kMule, kWithNorm, keys}), {Stage::pretrain, Stage::full}});
    all.push_back({"smalr_" + loss,
                   all_of({kMule,
                           kWithNorm,
                           keys,
                           {"system=smalr", "loss.masked=0.5", "loss.mask_share=1",
                            "loss.masked_ranking=0.5"}}),
                   {Stage::full}});
    for (const std::string system : {"san", "dan", "scan"}) {
      all.push_back({system + "_" + loss, all_of({{"system=" + system}, kRegion, keys})});
    }
    all.push_back({"late_" + loss,
                   all_of({{"system=late", "text.encoder=mean", "text.dim=8"}, kWithNorm, keys})});
  }
  for (const std::string system : {"san", "scan"}) {
    all.push_back(
        {system + "_harder",
         all_of({{"system=" + system, "loss.harder_negatives=true"}, kRegion, kTriplet})});
  }
  all.push_back(
      {"order", all_of({{"system=vse", "text.encoder=gru", "loss.distance=order"}, kTriplet})});
  all.push_back({"liwe", all_of({{"system=vse", "text.encoder=gru", "text.characters=3",
                                  "text.most_characters=4", "loss.neighbours=both-ways",
                                  "loss.cross_neighbourhood=1"},
                                 kTriplet,
                                 {"loss.mining=mixed"}})});
  all.push_back({"images_per_language",
                 all_of({{"system=embn", "text.encoder=mean", "image.branch=per-language"},
                         kWithNorm,
                         kTriplet})});
  return all;
}

struct Learnt {
  double loss = 0;
  std::map<std::string, torch::Tensor> gradients;
};

// What one process has for the optimiser when `group` has added up.
Learnt learn(SmallSystem& small, Stage stage, ProcessGroup* group) {
  const InGroup together(group);
  small.system->train();
  small.system->set_stage(stage, 0.5);
  const torch::Tensor loss = total_loss(small.losses());
  (loss / (group == nullptr ? 1 : group->size())).backward();
  Learnt learnt{loss.item<double>(), {}};
  for (const auto& item : small.system->named_parameters()) {
    if (!item.value().requires_grad()) continue;
    torch::Tensor gradient = item.value().grad();
    gradient = gradient.defined() ? gradient.contiguous() : at::zeros_like(item.value());
    if (group != nullptr) group->sum(gradient);
    learnt.gradients[item.key()] = gradient.detach();
  }
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

class Shards : public testing::TestWithParam<Case> {
 protected:
  static SmallSystem make() {
    const std::string system = GetParam().name.substr(0, GetParam().name.find('_'));
    const bool regions = system == "san" || system == "dan" || system == "scan" || system == "late";
    SmallSystem small(GetParam().keys, {"en", "de"}, regions ? SmallSystem::kRegions : 1);
    for (auto& entry : small.batch.languages) {
      entry.captions.by_machine = entry.captions.rows == 1;
    }
    return small;
  }
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

INSTANTIATE_TEST_SUITE_P(Systems, Shards, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hinny
