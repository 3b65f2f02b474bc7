// `hinny eval RUN --against RUN2`, as a user runs it, on drawn pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/read_file.h"
#include "tests/program.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

const std::filesystem::path kOldModels =
    std::filesystem::path(__FILE__).parent_path() / "old_models";

class Comparing : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new Scratch;
    succeed({"draw", "--out", path("data"), "--images", "150", "--seed", "3"});
    succeed({"features", path("data"), "--encoder", "builtin"});
    train("bag", "good", "en,de,fr", "20");
    train("bag", "weak", "fr,de,zh", "1");
    train("order", "order", "de,fr", "2");
    train("bag", "japanese", "ja", "1");
  }
  static void TearDownTestSuite() { delete scratch_; }

  static std::string path(const std::string& name) { return *scratch_ / name; }
  static std::string succeed(const Words& words) {
    const Outcome outcome = run_hinny(words);
    EXPECT_EQ(outcome.code, 0) << testing::PrintToString(words) << "\n" << outcome.err;
    return outcome.out;
  }
  static void train(const std::string& recipe, const std::string& run, const std::string& languages,
                    const std::string& epochs) {
    Words words = {"train", recipe,    "--data",      path("data"), "--features", "builtin",
                   "--out", path(run), "--languages", languages,    "--threads",  "1"};
    for (const std::string& key :
         {std::string("text.dim=32"), std::string("dim=32"), std::string("text.hidden=32"),
          std::string("sample.images_per_batch=32"), "train.epochs=" + epochs}) {
      words.insert(words.end(), {"--set", key});
    }
    succeed(words);
  }
  static Outcome eval(const std::string& run, const Words& more) {
    Words words = {"eval", path(run), "--data", path("data"), "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }
  static Outcome against(const std::string& run, const std::string& other, const Words& more = {}) {
    Words words = {"--against", path(other)};
    words.insert(words.end(), more.begin(), more.end());
    return eval(run, words);
  }
  static json json_of(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }

  static Scratch* scratch_;
};
Scratch* Comparing::scratch_ = nullptr;

TEST_F(Comparing, TheBetterRunIsAheadInTheLanguagesOfBoth) {
  const Outcome outcome = against("good", "weak", {"--json"});
  const json table = json_of(outcome);
  EXPECT_EQ(table["run"], path("good"));
  EXPECT_EQ(table["against"], path("weak"));
  EXPECT_EQ(table["split"], "test");
  EXPECT_THAT(outcome.out, HasSubstr(R"("languages":{"de":)"));  // in RUN's order
  EXPECT_THAT(outcome.out, HasSubstr(R"(},"fr":)"));
  EXPECT_EQ(table["languages"].size(), 2U);
  EXPECT_THAT(outcome.err, HasSubstr("left out: en, in " + path("good") + " alone"));
  EXPECT_THAT(outcome.err, HasSubstr("left out: zh, in " + path("weak") + " alone"));
  const json good = json_of(eval("good", {"--json", "--languages", "de,fr"}));
  const json weak = json_of(eval("weak", {"--json", "--languages", "de,fr"}));
  EXPECT_EQ(table["images"], good["images"]);
  for (const auto& [language, row] : table["languages"].items()) {
    EXPECT_EQ(row["captions"], good["languages"][language]["captions"]);
    EXPECT_EQ(row["run"], good["languages"][language]["mean_recall"]);
    EXPECT_EQ(row["against"], weak["languages"][language]["mean_recall"]);
  }
  EXPECT_EQ(table["average"]["run"], good["average"]);
  EXPECT_EQ(table["average"]["against"], weak["average"]);
  EXPECT_GT(table["average"]["interval"][0], 0);
  EXPECT_LT(table["average"]["p"], 0.01);
  EXPECT_EQ(against("good", "weak", {"--json"}).out, outcome.out);
}

TEST_F(Comparing, ARunIsNoBetterThanItself) {
  const Outcome outcome = against("good", "good", {"--json", "--languages", "fr"});
  const json table = json_of(outcome);
  EXPECT_EQ(table["languages"].size(), 1U);
  EXPECT_EQ(table["average"]["difference"], 0);
  EXPECT_EQ(table["average"]["interval"], (json{0, 0}));
  EXPECT_EQ(table["average"]["p"], 1);
  EXPECT_THAT(outcome.err, Not(HasSubstr("left out")));
}

TEST_F(Comparing, SystemsThatCompareDifferentlyAndBothTables) {
  const Outcome text = against("good", "order");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("95 % interval"));
  EXPECT_THAT(text.out, HasSubstr("\nde "));
  EXPECT_THAT(text.out, HasSubstr("\naverage "));
  EXPECT_THAT(against("order", "good", {"--markdown"}).out, HasSubstr("\n| average | "));
}

TEST_F(Comparing, RankingsForOtherProgramsHaveTheRecallThatIsPrinted) {
  for (const char* run : {"weak", "order"}) {
    std::filesystem::create_directory(path("rankings"));
    const std::string prefix = path("rankings/") + run;
    const json printed = json_of(eval(run, {"--run", prefix, "--json"}));
    std::istringstream rankings(read_file(prefix + ".de.t2i.run"));
    std::string query, zero, image, score, name;
    int rank = 0, queries = 0, hits = 0;
    while (rankings >> query >> zero >> image >> rank >> score >> name) {
      EXPECT_EQ(name, run);
      queries += rank == 1 ? 1 : 0;
      hits += rank <= 5 && query.starts_with(image + "#") ? 1 : 0;
    }
    const json& german = printed["languages"]["de"];
    EXPECT_EQ(queries, german["captions"].get<int>());
    EXPECT_NEAR(100.0 * hits / queries, german["text_to_image"]["r5"].get<double>(), 0.01);
    EXPECT_TRUE(std::filesystem::exists(prefix + ".fr.i2t.qrels"));
  }
  EXPECT_THAT(eval("weak", {"--run", path("nowhere/x")}).err, HasSubstr("nowhere"));
}

TEST_F(Comparing, WhatCannotBeComparedIsNamed) {
  const auto expect_error = [](const Outcome& outcome, const std::string& message) {
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(message));
  };
  const std::string translator = kOldModels / "nmt";
  expect_error(eval("good", {"--against", translator}), translator + ": a model that translates");
  expect_error(run_hinny({"eval", translator, "--data", path("data"), "--against", path("good")}),
               "--against has no effect for a model that translates");
  expect_error(against("good", "japanese"), path("japanese") + ": no language of " + path("good"));
  expect_error(against("good", "weak", {"--languages", "en"}),
               path("weak") + ": the model lacks language 'en'");
  expect_error(against("good", "nowhere"), path("nowhere") + "/recipe.toml: no such file");
  for (const Words& other : {Words{"--folds", "2"},
                             {"--with", path("weak")},
                             {"--translations", path("data")},
                             {"--translations", path("data"), "--into", "en"},
                             {"--translations", path("data"), "--clc", "average"}}) {
    const Outcome outcome = against("good", "weak", other);
    expect_error(outcome, " has no effect with --against (expected ");
    EXPECT_THAT(outcome.err, HasSubstr("--against"));
  }
}

}  // namespace
}  // namespace hinny
