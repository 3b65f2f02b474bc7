#include "training/recipe.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/error.h"
#include "base/files.h"

namespace hinny {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    parse_recipe(text, "r.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Recipe, ReadsWhatItWrites) {
  Recipe recipe = find_recipe("embn");
  recipe.languages = {"en", "de"};
  recipe.sample.captions_by_language = {{"en", 2}};
  recipe.sample.groups = {{"en"}, {"en", "de"}};
  recipe.about.summary = "a \"quoted\" \\ line";
  recipe.train.learning_rate = 1;
  EXPECT_EQ(as_toml(parse_recipe(as_toml(recipe), "r.toml")), as_toml(recipe));
}

TEST(Recipe, EveryBuiltInRecipeIsValidAndSaysWhatItIs) {
  EXPECT_GE(built_in_recipes().size(), 4U);
  for (const auto& [name, text] : built_in_recipes()) {
    EXPECT_FALSE(find_recipe(name).about.summary.empty()) << name;
  }
}

TEST(Recipe, NamesFileLineAndNearestKey) {
  EXPECT_THAT(error_of("system = \"bag\"\n[loss]\nmagrin = 1.0\n"),
              HasSubstr("r.toml:3: unknown key 'loss.magrin' (did you mean 'loss.margin'?)"));
  EXPECT_THAT(error_of("[train]\nepochs = \"ten\"\n"),
              HasSubstr("r.toml:2: 'train.epochs' has the wrong type (expected a whole number)"));
  EXPECT_THAT(error_of("[train\n"), HasSubstr("r.toml:1: "));
  EXPECT_THAT(error_of("[train]\nschedule = \"cosin\"\n"), HasSubstr("did you mean 'cosine'?"));
  EXPECT_THAT(error_of("[sample]\nimages_per_batch = -3\n"), HasSubstr("images_per_batch"));
  EXPECT_THAT(error_of("loss = 3\n"), HasSubstr("unknown key 'loss'"));
}

TEST(Recipe, ABaseGivesTheKeysThatTheFileDoesNotSay) {
  const Recipe mule = find_recipe("mule");
  const Recipe recipe =
      parse_recipe("base = 'mule'\n[about]\nsummary = 'mine'\n[loss]\nmargin = 0.7\n", "r.toml");
  EXPECT_EQ(recipe.model.loss.margin, 0.7);
  EXPECT_EQ(differing_keys(mule, recipe),
            (std::vector<std::string>{"about.summary", "loss.margin"}));
  EXPECT_THAT(error_of("base = 'mulle'\n"), HasSubstr("no base 'mulle' (did you mean 'mule'?)"));
  EXPECT_THAT(error_of("base = 3\n"), HasSubstr("r.toml:1: 'base' has the wrong type"));
}

TEST(Recipe, KeysThatNeedEachOtherAreChecked) {
  EXPECT_THAT(error_of("base = 'bag'\n[image]\nstart = 'directions'\n"),
              HasSubstr("image.start = directions with other word vectors"));
  EXPECT_THAT(error_of("base = 'hinny'\n[text]\nwhiten = true\n"),
              HasSubstr("image.start = directions with other word vectors"));
  EXPECT_THAT(error_of("base = 'smalr'\n[text]\nwhiten = true\n"),
              HasSubstr("text.whiten with text.own_dim = 50 of 300"));
  EXPECT_EQ(error_of("base = 'smalr'\n[text]\nwhiten = true\nown_dim = 300\n"), "no error");
  // Their types of captions have no meaning then, and are no obstacle.
  EXPECT_EQ(error_of("base = 'san'\n[loss]\nkind = 'infonce'\nharder_negatives = false\n"),
            "no error");
}

TEST(Recipe, KeysWithoutEffectAreRefused) {
  EXPECT_THAT(error_of("base = 'nmt'\n[sample]\nimages_per_batch = 64\n"),
              HasSubstr("sample.images_per_batch has no effect on system nmt"));
  EXPECT_THAT(error_of("base = 'mule'\n[translation]\nhidden = 64\n"),
              HasSubstr("translation.hidden has no effect on system mule"));
  EXPECT_EQ(error_of("base = 'mmt'\n[data]\nimages = 0.5\n[image]\nsquare_root = true\n"),
            "no error");
}

TEST(Recipe, SetTakesTomlOrABareWord) {
  Recipe recipe;
  set_key(recipe, "loss.margin=0.25");
  set_key(recipe, "loss.mining=max");
  set_key(recipe, "text.markers=true");
  set_key(recipe, "languages=[\"en\"]");
  EXPECT_EQ(recipe.model.loss.margin, 0.25);
  EXPECT_EQ(recipe.model.loss.mining, "max");
  EXPECT_TRUE(recipe.model.text.markers);
  EXPECT_EQ(recipe.languages, std::vector<std::string>{"en"});
  EXPECT_THROW(set_key(recipe, "loss.margin"), InputError);
  EXPECT_THROW(set_key(recipe, "loss.margin=wide"), InputError);
  EXPECT_THROW(set_key(recipe, "los.margin=1"), InputError);
}

TEST(Recipe, DifferingKeysAreNamedInOrder) {
  const Recipe recipe = find_recipe("embn");
  EXPECT_TRUE(differing_keys(recipe, recipe).empty());
  Recipe other = recipe;
  other.train.seed += 1;
  other.model.loss.margin += 1e-9;
  other.languages = {"en"};
  other.sample.groups = {{"en"}};
  EXPECT_THAT(differing_keys(recipe, other),
              testing::ElementsAre("languages", "loss.margin", "sample.groups", "train.seed"));
}

TEST(Recipe, AnUnknownNameListsTheRecipes) { EXPECT_THROW(find_recipe("bga"), InputError); }

TEST(Recipe, TheDocumentationListsEveryKeyWithItsDefault) {
  const std::string page =
      read_file(std::filesystem::path(__FILE__).parent_path() / "../../docs/recipes.md");
  Recipe defaults;
  for_each_key(defaults, [&](std::string_view key, Setting setting, std::string_view meaning) {
    const std::string row =
        fmt::format("| `{}` | `{}` | {} |", key, setting_text(setting), meaning);
    EXPECT_THAT(page, HasSubstr(row)) << "hinny recipes --keys prints the table";
  });
}

}  // namespace
}  // namespace hinny
