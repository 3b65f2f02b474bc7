// How large the systems are, beside what their papers say.
#include <gtest/gtest.h>

#include "recipe/read_recipe.h"
#include "training/experiment.h"

namespace hinny {
namespace {

ParameterCounts counts(const std::string& recipe) {
  SystemInput input;
  input.languages = {"en", "de", "fr", "cs"};
  input.vocabulary_sizes = {100, 200, 300, 400};
  input.feature_dim = 2048;
  return count_parameters(*make_system(find_recipe(recipe).model, input));
}

// Kim et al. 2020, "Parameter Comparison": a language branch of 6.8M. The layer into the space is
// 300 x 512 + 512 a language (the paper says 1.7M, which its sizes do not give).
TEST(Parameters, MuleIsAsLargeAsThePaperSays) {
  const ParameterCounts mule = counts("mule");
  EXPECT_EQ(mule.parts.at("sentence"), 6'824'448);
  EXPECT_EQ(mule.parts.at("space"), 4 * 154'112);
  EXPECT_EQ(mule.parts.at("words"), 1000 * 300);
  EXPECT_EQ(mule.parts.at("image"), 2048 * 2048 + 2048 + 2 * 2048 + 2048 * 512 + 512);
  EXPECT_EQ(mule.parts.at("other"), 512 * 4 + 4 + 1);  // the classifier; the warm-up's temperature
  EXPECT_EQ(mule.search, mule.parts.at("sentence") + mule.parts.at("space") + 300'000);
  EXPECT_EQ(counts("frozen").parts.count("words"), 0U);
}

// Burns et al. 2020: rare words cost a language nothing. The scorer of tokens goes after
// pretraining.
TEST(Parameters, SmalrSharesTheRareWordsOfAllLanguages) {
  SystemInput input;
  input.languages = {"en", "de"};
  input.vocabulary_sizes = {9000, 7000};
  input.feature_dim = 2048;
  const auto system = make_system(find_recipe("smalr").model, input);
  system->set_stage(Stage::full, 0);
  const ParameterCounts smalr = count_parameters(*system);
  EXPECT_EQ(smalr.parts.at("words"), 2 * 5004 * 50);
  EXPECT_EQ(smalr.parts.at("space"), 2 * (50 * 512 + 512));
  EXPECT_EQ(smalr.parts.at("latent") % 512, 0);
  EXPECT_LE(smalr.parts.at("latent"), (9000 + 7000 - 2 * 5004) * 512);
}

TEST(Parameters, ParallelEmbnHasABranchPerLanguage) {
  EXPECT_EQ(counts("parallel-embn").parts.at("sentence"), 4 * 5'956'096);
}

}  // namespace
}  // namespace hinny
