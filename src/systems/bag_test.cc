#include "tests/small_system.h"

namespace hinny {
namespace {

const SmallSystem::Keys kBag = {
    "system=bag",           "text.encoder=mean",      "loss.kind=infonce",
    "loss.temperature=0.2", "loss.text_to_image=1.5", "loss.image_to_text=0.5"};
const LossByHand kBagInfoNce{.temperature = 0.2, .text_to_image = 1.5, .image_to_text = 0.5};

// Of six English captions and five German ones.
TEST(Bag, LossIsTheMeanOverCaptions) {
  const SmallSystem small(kBag);
  expect_terms(small.losses(), {{"rank_en", small.ranking(kBagInfoNce, 0), 6.0 / 11},
                                {"rank_de", small.ranking(kBagInfoNce, 1), 5.0 / 11}});
}

TEST(Bag, CountsTheLanguagesOfTheBatchAlone) {
  SmallSystem small(kBag);
  small.batch.languages.erase(small.batch.languages.begin());
  expect_terms(small.losses(), {{"rank_de", small.ranking(kBagInfoNce, 0), 1}});
}

}  // namespace
}  // namespace hinny
