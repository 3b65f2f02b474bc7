#include "recipe/recipe.h"

#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/run_files.h"
#include "recipe/check_recipe.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::ThrowsMessage;

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

TEST(Recipe, EveryBuiltInRecipeSaysWhatItIsAndIsReadAsItIsWritten) {
  EXPECT_GE(built_in_recipes().size(), 20U);
  for (const auto& [name, text] : built_in_recipes()) {
    const Recipe recipe = find_recipe(name);
    EXPECT_FALSE(recipe.about.summary.empty()) << name;
    const Recipe again = parse_recipe(as_toml(recipe), name + ".toml");
    EXPECT_TRUE(differing_keys(recipe, again).empty()) << name;
    EXPECT_EQ(as_toml(again), as_toml(recipe)) << name;
  }
}

TEST(Recipe, IsWrittenWithTheKeysThatActAlone) {
  const std::string scan = as_toml(find_recipe("scan"));
  EXPECT_THAT(scan, HasSubstr("[attention]\n"));
  EXPECT_THAT(scan, Not(HasSubstr("project")));
  EXPECT_THAT(scan, Not(HasSubstr("[translation]")));
  EXPECT_THAT(as_toml(find_recipe("nmt")), Not(HasSubstr("[loss]")));
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
              StartsWith("r.toml:3: image.start = directions with other word vectors"));
  EXPECT_THAT(error_of("base = 'hinny'\n[text]\nwhiten = true\n"),
              StartsWith("r.toml:3: image.start = directions with other word vectors"));
  EXPECT_THAT(error_of("base = 'hinny'\n[text]\nencoder = 'gru'\n"),
              StartsWith("r.toml:3: image.start = directions with sentences"));
  EXPECT_THAT(error_of("base = 'hinny'\n[image]\nhidden = 0\n"),
              StartsWith("r.toml:3: image.start = directions without a hidden layer"));
  EXPECT_EQ(error_of("base = 'smalr'\n[text]\nwhiten = true\n"), "no error");
  // Their types of captions have no meaning then, and are no obstacle.
  EXPECT_EQ(error_of("base = 'san'\n[loss]\nkind = 'infonce'\nharder_negatives = false\n"),
            "no error");
}

// At the place of the one that was said last, whatever a base said.
TEST(Recipe, TheKeyThatWasSetLastIsToBlame) {
  const std::pair<const char*, const char*> cases[] = {
      {"system = 'mule'\n", "r.toml:1: system mule without a space"},
      {"base = 'mule'\n\n[text]\nmule_dim = 0\n", "r.toml:4: system mule without a space"},
      {"base = 'bag'\n[text]\nmule_dim = 8\nvocabulary = 'shared'\n", "r.toml:3: text.mule_dim"},
      {"base = 'bag'\n[text]\nlatents = 8\n", "r.toml:3: text.latents without text.mule_dim"},
      {"base = 'bag'\n[text]\ndictionary = 'd'\n", "r.toml:3: text.dictionary = 'd'"},
      {"base = 'liwe'\n[text]\nvectors = 'train'\n", "r.toml:3: text.characters = 24"},
      {"base = 'bag'\n[text]\nencoder = 'given'\n", "r.toml:3: text.encoder = 'given' with"},
      {"base = 'vse'\n[text]\nbidirectional = true\n", "r.toml:3: without text.project"},
      {"base = 'san'\n[text]\nencoder = 'mean'\n", "r.toml:3: system san whose words"},
      {"base = 'dan'\ndim = 1024\n", "r.toml:2: system dan whose words"},
      {"base = 'scan'\n[loss]\nkind = 'infonce'\n", "r.toml:3: loss.harder_negatives with"},
      {"base = 'vse-c2c'\n[sample]\nby = 'images'\n", "r.toml:3: sample.caption_pairs"},
      {"base = 'vse'\n[sample]\ngroups = [['en']]\n", "r.toml:3: sample.groups"},
      {"base = 'nmt'\n[translation]\nhidden = 5\n", "r.toml:3: translation.hidden = 5"}};
  for (const auto& [text, says] : cases) EXPECT_THAT(error_of(text), StartsWith(says));
  EXPECT_THAT([] { find_recipe("mule", {"text.mule_dim=0"}); },
              ThrowsMessage<InputError>(StartsWith("--set text.mule_dim=0: system mule")));
}

TEST(Recipe, ABaseOfAnotherSystemGivesTheKeysThatActHereToo) {
  const Recipe bag = parse_recipe("base = 'mule'\nsystem = 'bag'\n", "r.toml");
  EXPECT_EQ(bag.model.text.mule_dim, 512);
  EXPECT_EQ(bag.model.loss.adversary, LossSettings{}.adversary);
  EXPECT_EQ(bag.model.pretrain.epochs, 0);
  EXPECT_THAT(error_of("base = 'mule'\nsystem = 'bag'\n[loss]\nadversary = 1e-6\n"),
              StartsWith("r.toml:4: loss.adversary has no effect on system bag"));
  const Recipe scan = find_recipe("scan");
  EXPECT_TRUE(scan.model.text.project);  // vse says false
  // The same where the command line names another system than the recipe.
  EXPECT_EQ(find_recipe("mule", {"system=bag"}).model.loss.adversary, 0);
}

TEST(Recipe, ARunOfAnEarlierVersionIsStillRead) {
  const auto file = std::filesystem::path(__FILE__).parent_path() / "testdata/old_run_of_bag.toml";
  Recipe bag = find_recipe(
      "bag", {"image.features=builtin-1", "languages=[\"de\", \"en\"]", "precision=fp32"});
  bag.about.cost = read_run_recipe(file).about.cost;
  EXPECT_TRUE(differing_keys(bag, read_run_recipe(file)).empty());
  EXPECT_EQ(as_toml(read_run_recipe(file)), as_toml(bag));
  EXPECT_THAT([&] { find_recipe(file); },
              ThrowsMessage<InputError>(HasSubstr(" has no effect on system bag")));
}

TEST(Recipe, ARunsOwnFileIsARecipeToo) {
  const auto old = std::filesystem::path(__FILE__).parent_path() / "testdata/old_run_of_bag.toml";
  const Scratch run;
  std::filesystem::copy_file(old, run / kRecipeFile);
  EXPECT_THROW(find_recipe(run / kRecipeFile), InputError);  // no run yet
  write_file(run / kConfigFile, "{}");
  EXPECT_EQ(as_toml(find_recipe(run / kRecipeFile)), as_toml(read_run_recipe(old)));
  EXPECT_THROW(find_recipe(run / kRecipeFile, {"loss.adversary=0"}), InputError);
}

TEST(Recipe, SetTakesTomlOrABareWord) {
  Recipe recipe;
  set_key(recipe, "loss.margin=0.25");
  set_key(recipe, "loss.mining=max");
  set_key(recipe, "text.markers=true");
  set_key(recipe, "languages=[\"en\"]");
  EXPECT_EQ(recipe.model.loss.margin, 0.25);
  EXPECT_EQ(recipe.model.loss.mining, Mining::max);
  EXPECT_TRUE(recipe.model.text.markers);
  EXPECT_EQ(recipe.languages, std::vector<std::string>{"en"});
  EXPECT_THROW(set_key(recipe, "loss.margin"), InputError);
  EXPECT_THROW(set_key(recipe, "loss.margin=wide"), InputError);
  EXPECT_THROW(set_key(recipe, "los.margin=1"), InputError);
  EXPECT_THAT([&] { set_key(recipe, "loss.kind=triplett"); },
              ThrowsMessage<InputError>(StartsWith("--set loss.kind=triplett: loss.kind = "
                                                   "'triplett' (did you mean 'triplet'?)")));
}

// Recipes are made in code, too.
TEST(Recipe, WhatCodeSetsIsChecked) {
  Recipe recipe = find_recipe("vse");
  EXPECT_NO_THROW(check_recipe(recipe));
  recipe.model.loss.types = CaptionTypes::sources;
  EXPECT_THAT([&] { check_recipe(recipe); },
              ThrowsMessage<InputError>(StartsWith("loss.types has no effect on system vse")));
  recipe = find_recipe("vse");
  recipe.model.text.dropout = 1;
  EXPECT_THAT([&] { check_recipe(recipe); },
              ThrowsMessage<InputError>(StartsWith("text.dropout = 1 (expected 0 to 0.99)")));
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

}  // namespace
}  // namespace hinny
