#include "systems/late.h"

#include "base/error.h"
#include "nn/late_interaction.h"
#include "tests/small_system.h"

namespace hinny {
namespace {

const SmallSystem::Keys kKeys = {"system=late",      "text.encoder=mean",     "text.project=false",
                                 "text.dim=8",       "image.hidden=9",        "loss.kind=infonce",
                                 "text.dropout=0.5", "attention.lambda_lse=5"};

SmallSystem small() { return SmallSystem(kKeys, {"en", "de"}, SmallSystem::kRegions); }

TEST(Late, ComparesTheWordsThemselvesWithRegions) {
  const SmallSystem one = small();
  const Batch::Language& entry = one.batch.languages[1];
  const torch::Tensor words =
      one.parameter("text_de.words").index_select(0, entry.captions.ids).detach();
  const torch::Tensor regions = one.system->encode_images(one.batch.features, entry.language);
  ASSERT_EQ(regions.sizes(),
            (std::vector<std::int64_t>{SmallSystem::kImages, SmallSystem::kRegions, 8}));
  EXPECT_LT((regions.norm(2, {2}) - 1).abs().max().item<double>(), 1e-9);
  const torch::Tensor wanted = late_scores(words, entry.captions.lengths, regions, 5);
  const torch::Tensor found =
      one.system->pair_scores(one.batch.features, entry.captions, entry.language);
  EXPECT_LT((found.t() - wanted).abs().max().item<double>(), 1e-12);
  const torch::NoGradGuard no_gradient;  // by blocks of images
  const torch::Tensor again =
      one.system->pair_scores(one.batch.features, entry.captions, entry.language);
  EXPECT_LT((again - found).abs().max().item<double>(), 1e-12);
}

// Regions do not see each other: the order they come in is all the same.
TEST(Late, RegionsHaveNoOrder) {
  const SmallSystem one = small();
  const Batch::Language& entry = one.batch.languages[0];
  const torch::Tensor turned =
      one.batch.features.view({SmallSystem::kImages, SmallSystem::kRegions, -1})
          .flip({1})
          .reshape(one.batch.features.sizes());
  const torch::Tensor a =
      one.system->pair_scores(one.batch.features, entry.captions, entry.language);
  const torch::Tensor b = one.system->pair_scores(turned, entry.captions, entry.language);
  EXPECT_LT((a - b).abs().max().item<double>(), 1e-12);
}

TEST(Late, TrainsOnEachLanguageAlikeAndLeavesWordsOutInTrainingAlone) {
  const SmallSystem one = small();
  const auto value = [&] { return total_loss(one.losses()).item<double>(); };
  const std::vector<LossTerm> terms = one.losses();
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[0].name, "rank_en");
  EXPECT_DOUBLE_EQ(terms[1].weight, 5.0 / 11);
  EXPECT_EQ(value(), value());
  one.system->train();
  EXPECT_NE(value(), value());
}

TEST(Late, NeedsRegions) { EXPECT_THROW(SmallSystem(kKeys, {"en"}, 1), InputError); }

}  // namespace
}  // namespace hinny
