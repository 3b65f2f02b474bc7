#include <cmath>

#include "tests/small_system.h"

namespace hinny {
namespace {

const SmallSystem::Keys kVse = {
    "system=vse",           "text.vocabulary=shared", "text.encoder=gru", "text.project=false",
    "loss.kind=triplet",    "loss.margin=0.3",        "loss.mining=max",  "loss.reduction=sum",
    "loss.temperature=0.2", "loss.image_to_text=0.5"};
const LossByHand kVseMax{.hardest = 1, .sum = true, .image_to_text = 0.5};

SmallSystem::Keys vse_with(const SmallSystem::Keys& more) {
  return SmallSystem::joined(kVse, more);
}

TEST(Vse, LossIsTheSumOfTheLargestHinges) {
  const SmallSystem small(kVse);
  expect_terms(small.losses(), {{"rank_en", small.ranking(kVseMax, 0), 1},
                                {"rank_de", small.ranking(kVseMax, 1), 1}});
}

TEST(Vse, CaptionPairsAreRankedAsImagesAndCaptionsAre) {
  SmallSystem small(kVse);
  Batch batch;
  batch.pairs = {SmallSystem::captions({0, 1, 2, 3}), SmallSystem::captions({0, 1, 2, 3})};
  const Items first = small.sentences({SystemLanguage{0}, batch.pairs->first});
  const Items second = small.sentences({SystemLanguage{0}, batch.pairs->second});
  expect_terms(small.system->losses(batch),
               {{"pairs", ranking_by_hand(kVseMax, second, first.vectors), 1}});
}

// A constraint within each language and one for each pair of them.
TEST(Vse, NeighboursOfPairsOfLanguages) {
  const SmallSystem::Keys keys = {"loss.neighbourhood=0.4", "loss.cross_neighbourhood=0.7",
                                  "loss.neighbours=pairs"};
  const SmallSystem small(vse_with(keys), {"en", "de", "fr"});
  const Items en = small.sentences(0), de = small.sentences(1), fr = small.sentences(2);
  const auto near = [](const Items& a, const Items& b) {
    return near_by_hand(kVseMax, a, b, false);
  };
  expect_terms(small.losses(), {{"rank_en", small.ranking(kVseMax, 0), 1},
                                {"rank_de", small.ranking(kVseMax, 1), 1},
                                {"rank_fr", small.ranking(kVseMax, 2), 1},
                                {"near_joint_en", near_by_hand(kVseMax, en), 0.4},
                                {"near_joint_en_de", near(en, de), 0.7},
                                {"near_joint_en_fr", near(en, fr), 0.7},
                                {"near_joint_de", near_by_hand(kVseMax, de), 0.4},
                                {"near_joint_de_fr", near(de, fr), 0.7},
                                {"near_joint_fr", near_by_hand(kVseMax, fr), 0.4}});
}

TEST(Vse, PairsOfLanguagesAloneAndBothWays) {
  const SmallSystem small(vse_with({"loss.cross_neighbourhood=0.7", "loss.neighbours=both-ways"}));
  const Items en = small.sentences(0), de = small.sentences(1);
  const double there = near_by_hand(kVseMax, en, de, false),
               back = near_by_hand(kVseMax, de, en, false);
  ASSERT_GT(std::abs(there - back), 1e-3);
  expect_terms(small.losses(), {{"rank_en", small.ranking(kVseMax, 0), 1},
                                {"rank_de", small.ranking(kVseMax, 1), 1},
                                {"near_joint_en_de", there + back, 0.7}});
}

// LIWE's: from all negatives to the hardest, in ranking and among neighbours.
TEST(Vse, MixedMiningHardensWithTheTraining) {
  const SmallSystem small(vse_with(
      {"loss.mining=mixed", "loss.reduction=mean", "loss.hardening=2", "loss.neighbourhood=0.4"}));
  const LossByHand all{.image_to_text = 0.5}, max{.hardest = 1, .image_to_text = 0.5};
  for (const double done : {0.0, 0.3, 0.9}) {
    small.system->set_stage(Stage::full, {done});
    const double hard = 1 - std::exp(-2 * done);
    const auto mixed = [&](const auto& value) {
      return (1 - hard) * value(all) + hard * value(max);
    };
    const auto rank = [&](std::size_t place) {
      return mixed([&](const LossByHand& loss) { return small.ranking(loss, place); });
    };
    const auto near = [&](std::size_t place) {
      return mixed([&](const LossByHand& l) { return near_by_hand(l, small.sentences(place)); });
    };
    expect_terms(small.losses(), {{"rank_en", rank(0), 1},
                                  {"rank_de", rank(1), 1},
                                  {"near_joint_en", near(0), 0.4},
                                  {"near_joint_de", near(1), 0.4}});
  }
}

// As LIWE's code, 1 - 0.999^t: by batches, whatever their share of the training.
TEST(Vse, MixedMiningMayHardenByBatches) {
  const SmallSystem small(
      vse_with({"loss.mining=mixed", "loss.reduction=mean", "loss.hardening_rate=0.001"}));
  const LossByHand all{.image_to_text = 0.5}, max{.hardest = 1, .image_to_text = 0.5};
  for (const std::int64_t batches : {0, 95, 3000}) {
    small.system->set_stage(Stage::full, {0.5, batches});
    const double hard = 1 - std::pow(0.999, static_cast<double>(batches + 1));
    const auto rank = [&](std::size_t place) {
      return (1 - hard) * small.ranking(all, place) + hard * small.ranking(max, place);
    };
    expect_terms(small.losses(), {{"rank_en", rank(0), 1}, {"rank_de", rank(1), 1}});
  }
}

}  // namespace
}  // namespace hinny
