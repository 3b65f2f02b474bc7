#include "recipe/recipe_warnings.h"

#include <gmock/gmock.h>

#include "recipe/read_recipe.h"

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

}  // namespace
}  // namespace hinny
