// Order embeddings (Vendrov et al. 2016), which are VSE with an order in place of a distance.
#include "retrieval/score.h"
#include "tests/small_system.h"

namespace hinny {
namespace {

const SmallSystem::Keys kOrder = {
    "system=vse",          "text.vocabulary=shared", "text.encoder=gru", "text.project=false",
    "loss.kind=triplet",   "loss.margin=0.3",        "loss.mining=all",  "loss.reduction=sum",
    "loss.distance=order", "loss.temperature=0.2"};
const LossByHand kAll{.sum = true, .distance = "order"};

TEST(Order, LossIsTheSumOfAllHingesOfOrderViolations) {
  const SmallSystem small(kOrder);
  for (const Row& row : small.images(0)) EXPECT_GE(*std::ranges::min_element(row), 0);
  for (const Row& row : small.sentences(0).vectors) EXPECT_GE(*std::ranges::min_element(row), 0);
  EXPECT_EQ(small.system->score(), Score::order);
  expect_terms(small.losses(),
               {{"rank_en", small.ranking(kAll, 0), 1}, {"rank_de", small.ranking(kAll, 1), 1}});
}

TEST(Order, WarmUpKeepsTheOrder) {
  SmallSystem::Keys keys = kOrder;
  keys.insert(keys.end(), {"loss.warmup_epochs=1", "loss.warmup=infonce"});
  const SmallSystem small(keys);
  small.system->set_stage(Stage::warmup, {0});
  const LossByHand infonce{.temperature = 0.2, .distance = "order"};
  expect_terms(small.losses(), {{"rank_en", small.ranking(infonce, 0), 1},
                                {"rank_de", small.ranking(infonce, 1), 1}});
}

}  // namespace
}  // namespace hinny
