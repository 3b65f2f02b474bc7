#include "recipe/recipe_warnings.h"

#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/run_files.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> warnings(const std::string& name, const std::vector<std::string>& set) {
  Recipe recipe = find_recipe(name, set);
  if (recipe.languages.empty()) recipe.languages = {"en", "de"};
  return recipe_warnings(recipe);
}

TEST(RecipeWarnings, NeighboursThatNoBatchHas) {
  EXPECT_THAT(warnings("embn", {}), IsEmpty());
  const auto none = ElementsAre(HasSubstr("loss.neighbourhood = 0.1 has no effect"));
  EXPECT_THAT(warnings("embn", {"sample.captions_per_image=1"}), none);
  EXPECT_THAT(warnings("embn", {"sample.captions_per_image=1", "loss.neighbourhood=0"}), IsEmpty());
  EXPECT_THAT(
      warnings("embn", {"sample.captions_per_image=1", "sample.captions_by_language={de=2}"}),
      IsEmpty());
}

TEST(RecipeWarnings, CaptionsOfOtherLanguagesAreNeighboursToo) {
  EXPECT_THAT(warnings("mule", {"sample.captions_per_image=1"}), IsEmpty());
  EXPECT_THAT(warnings("mule", {"sample.captions_per_image=1", "languages=[\"en\"]"}),
              ElementsAre(HasSubstr("has no effect")));
  EXPECT_THAT(warnings("mule", {"sample.captions_per_image=1", "loss.neighbours=pairs"}),
              ElementsAre(HasSubstr("has no effect")));
}

TEST(RecipeWarnings, OtherFeaturesThanARecipeWasTunedOn) {
  EXPECT_THAT(warnings("bag", {"about.features=a+b", "image.features=a+b"}), IsEmpty());
  EXPECT_THAT(warnings("bag", {"about.features=a+b", "image.features=c"}),
              ElementsAre(HasSubstr("tuned on features a+b: with c")));
}

TEST(RecipeWarnings, KeysOfTheUsersFileThatNothingLetsAct) {
  const auto of = [](const std::string& text) {
    Recipe recipe = parse_recipe(text, "mine.toml");
    recipe.languages = {"en", "de"};
    return recipe_warnings(recipe);
  };
  EXPECT_THAT(of("base = 'bag'\n[loss]\nmargin = 0.3\n"),
              ElementsAre("mine.toml:3: loss.margin has no effect with loss.kind = infonce (it "
                          "has with loss.kind = triplet)"));
  EXPECT_THAT(of("base = 'bag'\n[loss]\nmargin = 0.3\nkind = 'triplet'\n"), IsEmpty());
  EXPECT_THAT(of("base = 'mule'\n[loss]\nkind = 'infonce'\n"), IsEmpty());  // hinges = "mean"
  // Whoever prints a recipe and changes a line of it.
  EXPECT_THAT(of(as_toml(find_recipe("bag"))), IsEmpty());
}

TEST(RecipeWarnings, KeysOfTheCommandLineThatNothingLetsAct) {
  EXPECT_THAT(warnings("bag", {"loss.margin=0.3"}),
              ElementsAre("--set loss.margin=0.3: loss.margin has no effect with loss.kind = "
                          "infonce (it has with loss.kind = triplet)"));
  EXPECT_THAT(warnings("bag", {"loss.margin=0.3", "loss.kind=triplet"}), IsEmpty());
  EXPECT_THAT(warnings("mule", {"loss.hardening=3"}),
              ElementsAre(HasSubstr("has no effect with loss.mining = hardest (it has with "
                                    "loss.kind = triplet and loss.mining = mixed and ")));
  EXPECT_THAT(warnings("liwe", {"loss.hardening=3"}),
              ElementsAre(HasSubstr("has no effect with loss.hardening_rate = 0.001 (")));
  EXPECT_THAT(warnings("liwe", {"loss.hardening=3", "loss.hardening_rate=0"}), IsEmpty());
}

TEST(RecipeWarnings, RunsHoldKeysThatNobodySet) {
  const Scratch run;
  Recipe recipe = find_recipe("mule", {"loss.kind=infonce"});
  recipe.languages = {"en", "de"};
  write_file(run / kRecipeFile, as_toml(recipe));
  EXPECT_THAT(recipe_warnings(read_run_recipe(run / kRecipeFile)), IsEmpty());
  EXPECT_EQ(as_toml(read_run_recipe(run / kRecipeFile)), as_toml(recipe));
}

}  // namespace
}  // namespace hinny
