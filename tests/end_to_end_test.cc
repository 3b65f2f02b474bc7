// The whole way as a user goes it: draw, features, train, eval, index, search, encode, inspect.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/program.h"

namespace hinny {
namespace {

nlohmann::json json_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  auto json = nlohmann::json::parse(outcome.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(json.is_discarded()) << outcome.out;
  return json;
}

TEST(EndToEnd, FromDrawnPicturesToAnswersInThreeLanguages) {
  Scratch scratch;
  const std::string pictures = scratch / "pictures", run = scratch / "run",
                    index = scratch / "index";
  ASSERT_EQ(run_hinny({"draw", "--out", pictures, "--images", "120", "--seed", "3"}).code, 0);
  const Outcome features = run_hinny({"features", pictures, "--encoder", "builtin"});
  ASSERT_EQ(features.code, 0) << features.err;
  const Outcome trained = run_hinny({"train", "bag", "--data", pictures, "--features", "builtin",
                                     "--out", run, "--languages", "en,de,zh", "--set",
                                     "train.epochs=20", "--set", "sample.images_per_batch=32"});
  ASSERT_EQ(trained.code, 0) << trained.err;

  const auto table = json_of(run_hinny({"eval", run, "--data", pictures, "--json"}));
  EXPECT_EQ(table["split"], "test");
  EXPECT_EQ(table["languages"].size(), 3U);
  for (const char* direction : {"image_to_text", "text_to_image"}) {
    EXPECT_LE(table["languages"]["de"][direction]["r1"],
              table["languages"]["de"][direction]["r10"]);
  }
  const double images = table["images"];
  EXPECT_GT(table["average"].get<double>(), 100.0 * 2 * (16.0 / 3) / images)
      << "no better than twice chance";

  ASSERT_EQ(run_hinny({"index", run, "--data", pictures, "--split", "test", "--out", index}).code,
            0);
  for (const char* query : {"a red ball", "ein roter Ball", "红色的球"}) {
    const auto answer = json_of(run_hinny({"search", index, query, "-k", "3", "--json"}));
    EXPECT_EQ(answer["query"], query);
    ASSERT_EQ(answer["results"].size(), 3U);
    EXPECT_GE(answer["results"][0]["score"], answer["results"][1]["score"]);
    EXPECT_TRUE(std::filesystem::exists(answer["results"][0]["file"].get<std::string>()));
  }

  RunOptions sentences;
  sentences.input = "ein Hund\nein Haus\n";
  const Outcome vectors = run_hinny({"encode", run, "--lang", "de"}, sentences);
  EXPECT_EQ(vectors.code, 0) << vectors.err;
  EXPECT_THAT(vectors.out, testing::HasSubstr("(2, 512)"));
  for (const std::string& path : {pictures, run, index}) {
    const Outcome inspected = run_hinny({"inspect", path});
    EXPECT_EQ(inspected.code, 0) << inspected.err;
    EXPECT_THAT(inspected.out, testing::HasSubstr("de"));
  }
}

TEST(EndToEnd, EveryVerbExplainsItselfWithAnExample) {
  const Outcome overview = run_hinny({"--help"});
  EXPECT_EQ(overview.code, 0);
  for (const char* verb : {"draw", "import", "features", "vectors", "train", "eval", "recipes",
                           "encode", "export", "index", "search", "inspect", "doctor"}) {
    EXPECT_THAT(overview.out, testing::HasSubstr(verb));
    const Outcome help = run_hinny({verb, "--help"});
    EXPECT_EQ(help.code, 0) << verb << help.err;
    EXPECT_THAT(help.out, testing::HasSubstr("example:")) << verb;
  }
}

}  // namespace
}  // namespace hinny
