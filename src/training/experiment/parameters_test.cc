// How large the systems are, beside what their papers say.
#include <gtest/gtest.h>

#include "recipe/read_recipe.h"
#include "training/experiment/parameter_counts.h"

namespace hinny {
namespace {

// Small vocabularies, features of 2048 numbers, a picture or a region.
SystemInput input_for(const std::string& name, const Recipe& recipe) {
  SystemInput input;
  input.languages = {"en", "de", "fr", "cs"};
  input.vocabulary_sizes = {100, 200, 300, 400};
  input.regions = (kRegions | kLate).contains(recipe.model.system) ? 36 : 1;
  input.feature_dim = 2048 * input.regions;
  if (kTaught.contains(recipe.model.system)) input.feature_dim = recipe.model.dim;
  if (name == "dictionary") input.borrowed["de"] = {4, 5, 6};
  input.characters = 50;
  input.spelling.assign(static_cast<std::size_t>(100 * recipe.model.text.most_characters), 0);
  return input;
}

ParameterCounts counts(const std::string& name) {
  const Recipe recipe = find_recipe(name);
  return count_parameters(*make_system(recipe.model, input_for(name, recipe)));
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
  system->set_stage(Stage::full, {0});
  const ParameterCounts smalr = count_parameters(*system);
  EXPECT_EQ(smalr.parts.at("words"), 2 * 5004 * 50);
  EXPECT_EQ(smalr.parts.at("space"), 2 * (50 * 512 + 512));
  EXPECT_EQ(smalr.parts.at("latent") % 512, 0);
  EXPECT_LE(smalr.parts.at("latent"), (9000 + 7000 - 2 * 5004) * 512);
}

// As they were before roles were said where parameters are registered, when they followed from
// names.
TEST(Parameters, EveryRecipeHasAsManyAsEver) {
  const ParameterCounts as_mule = {12992485,
                                   7740896,
                                   {{"image", 5249536},
                                    {"other", 2053},
                                    {"sentence", 6824448},
                                    {"space", 616448},
                                    {"words", 300000}}};
  const std::map<std::string, ParameterCounts> expected = {
      {"bag",
       {6165985,
        916448,
        {{"image", 5249536}, {"other", 1}, {"sentence", 616448}, {"words", 300000}}}},
      {"dan",
       {6516533,
        4415794,
        {{"image", 2100738}, {"other", 1}, {"sentence", 4385794}, {"words", 30000}}}},
      {"dictionary",
       {12991585,
        7739996,
        {{"image", 5249536},
         {"other", 2053},
         {"sentence", 6824448},
         {"space", 616448},
         {"words", 299100}}}},
      {"embn",
       {45122529,
        24124384,
        {{"image", 20998144}, {"other", 1}, {"sentence", 23824384}, {"words", 300000}}}},
      {"frequency", as_mule},
      {"frozen",
       {12692485,
        7740896,
        {{"image", 5249536}, {"other", 2053}, {"sentence", 6824448}, {"space", 616448}}}},
      {"hem",
       {44710485,
        27458896,
        {{"image", 5249536},
         {"latent", 32480000},
         {"other", 2053},
         {"sentence", 6824448},
         {"space", 104448},
         {"words", 50000}}}},
      {"hinny",
       {6031873,
        782336,
        {{"image", 5249536}, {"other", 1}, {"sentence", 526336}, {"words", 256000}}}},
      {"la",
       {44661285,
        27409696,
        {{"image", 5249536},
         {"latent", 32480000},
         {"other", 2053},
         {"sentence", 6824448},
         {"space", 104448},
         {"words", 800}}}},
      {"late", {2359425, 128000, {{"image", 2231424}, {"other", 1}, {"words", 128000}}}},
      {"liwe",
       {12535988, 10437812, {{"image", 2098176}, {"sentence", 10245120}, {"words", 192692}}}},
      {"mule", as_mule},
      {"mule-code",
       {11417573,
        6165984,
        {{"image", 5249536},
         {"other", 2053},
         {"sentence", 5249536},
         {"space", 616448},
         {"words", 300000}}}},
      {"mule-coco", as_mule},
      {"mule-mt", as_mule},
      {"mule-v1", as_mule},
      {"order", {6201648, 4103472, {{"image", 2098176}, {"sentence", 4073472}, {"words", 30000}}}},
      {"parallel-embn",
       {29373921,
        24124384,
        {{"image", 5249536}, {"other", 1}, {"sentence", 23824384}, {"words", 300000}}}},
      {"pca",
       {12230485,
        6978896,
        {{"image", 5249536},
         {"other", 2053},
         {"sentence", 6824448},
         {"space", 104448},
         {"words", 50000}}}},
      {"pivot",
       {18692064, 16593888, {{"image", 2098176}, {"sentence", 16293888}, {"words", 300000}}}},
      {"san",
       {5464881,
        3889968,
        {{"image", 1574912}, {"other", 1}, {"sentence", 3859968}, {"words", 30000}}}},
      {"scan", {3579696, 2530608, {{"image", 1049088}, {"sentence", 2500608}, {"words", 30000}}}},
      {"smalr",
       {46810197,
        27458896,
        {{"image", 5249536},
         {"latent", 32480000},
         {"other", 2101765},
         {"sentence", 6824448},
         {"space", 104448},
         {"words", 50000}}}},
      {"teacher", {782336, 782336, {{"sentence", 526336}, {"words", 256000}}}},
      {"translate-query",
       {29373921,
        24124384,
        {{"image", 5249536}, {"other", 1}, {"sentence", 23824384}, {"words", 300000}}}},
      {"vse", {6201648, 4103472, {{"image", 2098176}, {"sentence", 4073472}, {"words", 30000}}}},
      {"vse-c2c",
       {6201648, 4103472, {{"image", 2098176}, {"sentence", 4073472}, {"words", 30000}}}},
  };
  for (const auto& [name, text] : built_in_recipes()) {
    if (translates(find_recipe(name).model.system) || name.starts_with("tuned/")) continue;
    ASSERT_TRUE(expected.contains(name)) << name;
    EXPECT_EQ(counts(name), expected.at(name)) << name;
  }
}

TEST(Parameters, ParallelEmbnHasABranchPerLanguage) {
  EXPECT_EQ(counts("parallel-embn").parts.at("sentence"), 4 * 5'956'096);
}

}  // namespace
}  // namespace hinny
