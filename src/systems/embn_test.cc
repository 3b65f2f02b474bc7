#include "tests/small_system.h"

namespace hinny {
namespace {

const SmallSystem::Keys kEmbn = {"system=embn",
                                 "text.encoder=lstm",
                                 "image.branch=per-language",
                                 "loss.kind=triplet",
                                 "loss.margin=0.3",
                                 "loss.mining=hardest",
                                 "loss.hardest=2",
                                 "loss.text_to_image=1.5",
                                 "loss.temperature=0.2",
                                 "loss.neighbourhood=0.4",
                                 "loss.neighbours=own"};
const LossByHand kEmbnTriplet{.hardest = 2, .text_to_image = 1.5};

std::vector<Wanted> wanted(const SmallSystem& small, const LossByHand& loss) {
  return {{"rank_en", small.ranking(loss, 0), 1},
          {"rank_de", small.ranking(loss, 1), 1},
          {"near_joint_en", near_by_hand(loss, small.sentences(0)), 0.4},
          {"near_joint_de", near_by_hand(loss, small.sentences(1)), 0.4}};
}

TEST(Embn, LossIsTripletsAndNeighboursOfEachLanguage) {
  const SmallSystem small(kEmbn);
  ASSERT_NE(small.images(0), small.images(1));  // a branch each
  expect_terms(small.losses(), wanted(small, kEmbnTriplet));
}

TEST(Embn, ImagesOfOneBranchAreTheSameForEveryLanguage) {
  SmallSystem::Keys keys = kEmbn;
  keys.emplace_back("image.branch=shared");
  const SmallSystem small(keys);
  ASSERT_EQ(small.images(0), small.images(1));
  expect_terms(small.losses(), wanted(small, kEmbnTriplet));
}

TEST(Embn, WarmUpHasEveryTermByItsOwnLoss) {
  const auto warmed = [](const char* warmup) {
    SmallSystem::Keys keys = kEmbn;
    keys.insert(keys.end(), {"loss.warmup_epochs=1", std::string("loss.warmup=") + warmup});
    SmallSystem small(keys);
    small.system->set_stage(Stage::warmup, {0});
    return small;
  };
  const SmallSystem by_infonce = warmed("infonce");
  expect_terms(by_infonce.losses(), wanted(by_infonce, {.temperature = 0.2, .text_to_image = 1.5}));
  const SmallSystem by_all = warmed("all");
  expect_terms(by_all.losses(), wanted(by_all, {.text_to_image = 1.5}));
  by_all.system->set_stage(Stage::full, {0.1});
  expect_terms(by_all.losses(), wanted(by_all, kEmbnTriplet));
}

TEST(Embn, AWarmUpByAnotherLossIsSaid) {
  const auto said = [](const char* warmup, const char* reduction) {
    SmallSystem::Keys keys = kEmbn;
    keys.insert(keys.end(), {"loss.warmup_epochs=1", std::string("loss.warmup=") + warmup,
                             "loss.mining=all", std::string("loss.reduction=") + reduction});
    const SmallSystem small(keys);
    return std::pair(small.system->loss_in(Stage::warmup), small.system->loss_in(Stage::full));
  };
  const auto other_kind = said("infonce", "mean"), other_size = said("all", "sum"),
             same = said("all", "mean");
  EXPECT_NE(other_kind.first, other_kind.second);
  EXPECT_NE(other_size.first, other_size.second);
  EXPECT_EQ(same.first, same.second);
}

TEST(Embn, WithoutNeighboursLossIsTriplets) {
  SmallSystem::Keys keys = kEmbn;
  keys.emplace_back("loss.neighbourhood=0");
  const SmallSystem small(keys);
  expect_terms(small.losses(), {{"rank_en", small.ranking(kEmbnTriplet, 0), 1},
                                {"rank_de", small.ranking(kEmbnTriplet, 1), 1}});
}

TEST(Embn, TextLearnsTwiceAsFastAndItsWordsDoNotDecay) {
  const SmallSystem small(kEmbn);
  const std::map<std::string, TensorRole> roles = roles_of(*small.system);
  const auto group_of = [&](const std::string& name) {
    for (const ParameterGroup& group : small.system->parameter_groups()) {
      const bool all = group.parts.empty();
      if (all || std::ranges::find(group.parts, roles.at(name).part) != group.parts.end()) {
        return std::pair(group.rate, group.decay);
      }
    }
    return std::pair(0.0, 0.0);
  };
  for (const auto& item : small.system->named_parameters()) {
    const std::string& name = item.key();
    const std::pair wanted = name.ends_with(".words")    ? std::pair(2.0, 0.0)
                             : name.starts_with("text_") ? std::pair(2.0, 1.0)
                                                         : std::pair(1.0, 1.0);
    EXPECT_EQ(group_of(name), wanted) << name;
  }
}

}  // namespace
}  // namespace hinny
