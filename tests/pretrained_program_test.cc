// A pretrained model's folder, as a user makes and uses a bundle of it: every verb that takes one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "tests/program.h"
#include "tests/tiny_parallel_text.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

const fs::path kPretrained = fs::path(__FILE__).parent_path() / "pretrained/folders";

class PretrainedProgram : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new Scratch;
    run({"draw", "--out", made("drawn"), "--images", "40", "--seed", "5"});
    run({"bundle", kPretrained / "clip", "--out", made("clip"), "--license", "MIT"});
  }
  static void TearDownTestSuite() { delete made_; }

  static std::string made(const std::string& name) { return *made_ / name; }
  static std::string run(const std::vector<std::string>& words, const RunOptions& how = {}) {
    const Outcome done = run_hinny(words, how);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.out;
  }
  std::string error(const std::vector<std::string>& words) const {
    Outcome done = run_hinny(words);
    EXPECT_EQ(done.code, 2) << done.out;
    return done.err;
  }

  inline static Scratch* made_ = nullptr;
  const Scratch scratch_;
};

TEST_F(PretrainedProgram, FindsPictures) {
  const std::string mine = scratch_ / "mine", pictures = made("drawn") + "/images";
  EXPECT_THAT(run({"index", made("clip"), "--pictures", pictures, "--out", mine}),
              HasSubstr("40 new"));
  const json answer =
      json::parse(run({"search", mine, "a dog jumps into the water", "--json"}), nullptr, false);
  ASSERT_EQ(answer["results"].size(), 10U);
  EXPECT_EQ(answer["language"], "en");
  // By the same vectors as encode gives: the best answer is the best of all products.
  RunOptions asked;
  asked.input = "a dog jumps into the water\n";
  EXPECT_EQ(run({"encode", made("clip")}, asked), run({"encode", mine + "/encoder"}, asked));
  // A picture finds itself.
  const std::string file = answer["results"][0]["file"];
  EXPECT_THAT(run({"search", mine, "--image", file}), HasSubstr(" 1.0000"));
  EXPECT_THAT(run({"index", made("clip"), "--pictures", pictures, "--out", mine}),
              HasSubstr("40 as they were"));
  EXPECT_THAT(run({"inspect", made("clip")}), HasSubstr("transformer of 2 layers"));
}

TEST_F(PretrainedProgram, AnArchiveAnswersAsTheFolder) {
  const std::string archive = scratch_ / "clip.tar.gz", data = made("drawn");
  run({"bundle", made("clip"), "--out", archive});
  const std::string table = run({"eval", made("clip"), "--data", data, "--json"});
  EXPECT_EQ(run({"eval", archive, "--data", data, "--json"}), table);
  const json recall = json::parse(table, nullptr, false);
  EXPECT_EQ(recall["languages"].size(), 1U);  // of ten: it speaks English
  EXPECT_THAT(run({"eval", made("clip"), "--data", data, "--split", "val"}), HasSubstr("en"));
  // Another model of this name is measured by its own pictures' vectors.
  run({"bundle", kPretrained / "clip_gelu", "--out", scratch_ / "clip"});
  EXPECT_NE(run({"eval", scratch_ / "clip", "--data", data, "--json"}), table);
  EXPECT_THAT(error({"eval", made("clip"), "--data", data, "--languages", "de"}), HasSubstr("en"));
}

TEST_F(PretrainedProgram, IsMeasuredByFeaturesWherePicturesAreAway) {
  const std::string data = scratch_ / "data";
  fs::copy(made("drawn"), data, fs::copy_options::recursive);
  run({"features", data, "--encoder", made("clip")});
  const std::string table = run({"eval", made("clip"), "--data", data, "--json"});
  fs::remove_all(data + "/images");
  EXPECT_EQ(run({"eval", made("clip"), "--data", data, "--json"}), table);
}

TEST_F(PretrainedProgram, ItsPicturesAreFeaturesOfEveryRecipe) {
  const std::string data = scratch_ / "data";
  fs::copy(made("drawn"), data, fs::copy_options::recursive);
  run({"features", data, "--encoder", made("clip")});
  EXPECT_TRUE(fs::exists(fs::path(data) / "features/clip.npy"));
  run({"features", data, "--encoder", kPretrained / "dinov2"});
  run({"train",      "hinny",          "--data",      data,
       "--features", "clip+dinov2",    "--languages", "en,de",
       "--out",      scratch_ / "run", "--threads",   "1",
       "--set",      "train.epochs=1", "--set",       "text.dim=16",
       "--set",      "dim=16",         "--set",       "image.hidden=32",
       "--set",      "hubs.size=0"});
  run({"bundle", scratch_ / "run", "--network", made("clip"), "--network", kPretrained / "dinov2",
       "--out", scratch_ / "own"});
  EXPECT_THAT(
      run({"index", scratch_ / "own", "--pictures", data + "/images", "--out", scratch_ / "mine"}),
      HasSubstr("40 new"));
  EXPECT_THAT(run({"search", scratch_ / "mine", "ein roter Vogel"}), HasSubstr(".png"));
}

TEST_F(PretrainedProgram, TeachesOtherLanguages) {
  const std::string run_folder = scratch_ / "clip-de";
  const TinyParallelText lines;
  const auto train = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "train",     "teacher",          "--data",      lines.folder(),
        "--teacher", made("clip"),       "--languages", "de",
        "--out",     run_folder,         "--threads",   "1",
        "--set",     "train.epochs=1",   "--set",       "text.dim=8",
        "--set",     "text.min_count=1", "--set",       "hubs.size=0"};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  };
  const Outcome done = train({});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("as clip reads them"));
  EXPECT_TRUE(fs::exists(fs::path(run_folder) / "teacher.npy"));
  run({"bundle", run_folder, "--network", made("clip"), "--out", scratch_ / "de"});
  run({"index", scratch_ / "de", "--pictures", made("drawn") + "/images", "--out",
       scratch_ / "mine"});
  EXPECT_THAT(run({"search", scratch_ / "mine", "ein roter Vogel", "--lang", "de"}),
              HasSubstr(".png"));
}

TEST_F(PretrainedProgram, SaysWhatIsMissing) {
  EXPECT_THAT(error({"bundle", kPretrained / "xlm_r", "--out", scratch_ / "out"}),
              HasSubstr("--vision"));
  EXPECT_THAT(error({"bundle", kPretrained / "dinov2", "--out", scratch_ / "out"}),
              HasSubstr("reads no sentences"));
  EXPECT_THAT(error({"index", kPretrained / "clip", "--pictures", made("drawn"), "--out",
                     scratch_ / "out"}),
              HasSubstr("hinny bundle"));
  EXPECT_THAT(error({"bundle", made("clip"), "--weights", "int8", "--out", scratch_ / "out"}),
              HasSubstr("keeps its weights"));
  EXPECT_THAT(
      error({"bundle", kPretrained / "clip", "--network", "a.onnx", "--out", scratch_ / "out"}),
      HasSubstr("--network"));
  EXPECT_THAT(
      error({"bundle", made("clip"), "--vision", kPretrained / "clip", "--out", scratch_ / "out"}),
      HasSubstr("--vision"));
}

// Choices that its files leave open, or have otherwise.
TEST_F(PretrainedProgram, ReadsAsItIsTold) {
  RunOptions asked;
  asked.input = "A Red Bird!\n";
  const auto vector = [&](const std::vector<std::string>& more) {
    const std::string out = scratch_ / "b";
    std::vector<std::string> words = {"bundle", kPretrained / "siglip2", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    run(words);
    return run({"encode", out, "--lang", "en"}, asked);
  };
  const std::string plain = vector({});
  EXPECT_EQ(vector({"--lower-case", "yes"}), plain);
  EXPECT_NE(vector({"--lower-case", "no"}), plain);
  EXPECT_NE(vector({"--strip-punctuation", "yes"}), plain);
  EXPECT_THAT(
      run({"bundle", kPretrained / "siglip2", "--languages", "de,fi", "--out", scratch_ / "b"}),
      HasSubstr("languages: de, fi"));
}

}  // namespace
}  // namespace hinny
