// A network of the user's own, prepared for by a preset: once, and from then on the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "tests/program.h"
#include "vision/tiny_network.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class NetworksProgram : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_hinny({"draw", "--out", pictures_, "--images", "40", "--seed", "3"}).code, 0);
    write_file(network_, tiny_network("GlobalAveragePool", 224));
  }
  Outcome features(std::vector<std::string> more) const {
    more.insert(more.begin(), {"features", pictures_, "--encoder", network_, "--force"});
    return run_hinny(more);
  }
  const Scratch scratch_;
  const std::string pictures_ = scratch_ / "pictures";
  const std::string network_ = scratch_ / "net.onnx";
  const std::string sidecar_ = network_ + ".json";
  const fs::path made_ = fs::path(pictures_) / "features" / "net.npy";
};

TEST_F(NetworksProgram, APresetIsSaidOnceAndKept) {
  const Outcome first = features({"--preset", "clip"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("wrote " + sidecar_));
  const std::string by_preset = read_file(made_);
  const Outcome later = features({});
  ASSERT_EQ(later.code, 0) << later.err;
  EXPECT_EQ(read_file(made_), by_preset);

  const Outcome other = features({"--preset", "siglip"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("net.onnx.json: says something else than --preset siglip"));
  fs::remove(sidecar_);
  ASSERT_EQ(features({"--preset", "siglip"}).code, 0);
  EXPECT_NE(read_file(made_), by_preset);
}

TEST_F(NetworksProgram, ABundleTakesThePresetWithIt) {
  ASSERT_EQ(features({"--preset", "torchvision"}).code, 0);
  const std::string run = scratch_ / "run", bundle = scratch_ / "bundle";
  const Outcome trained =
      run_hinny({"train", "bag", "--data", pictures_, "--features", "net", "--languages", "en",
                 "--out", run, "--threads", "1", "--set", "train.epochs=1"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const std::string said = read_file(sidecar_);
  fs::remove(sidecar_);
  EXPECT_EQ(run_hinny({"bundle", run, "--network", network_, "--out", bundle}).code, 2);
  const Outcome bundled =
      run_hinny({"bundle", run, "--network", network_, "--preset", "torchvision", "--out", bundle});
  ASSERT_EQ(bundled.code, 0) << bundled.err;
  EXPECT_EQ(read_file(fs::path(bundle) / "networks" / "net.onnx.json"), said);
  EXPECT_FALSE(fs::exists(sidecar_));  // the network's folder is another's
  const Outcome wrong = run_hinny({"bundle", run, "--network", network_, "--network", network_,
                                   "--preset", "torchvision", "--out", bundle});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr(network_ + ": a second network of this name"));
  const Outcome indexed = run_hinny(
      {"index", bundle, "--pictures", pictures_ + "/images", "--out", scratch_ / "index"});
  EXPECT_EQ(indexed.code, 0) << indexed.err;
}

// A folder of models that all may read and one may write.
TEST_F(NetworksProgram, FeaturesAreMadeWhereNothingCanBeWrittenBesideTheNetwork) {
  const fs::path models = scratch_ / "models";
  fs::create_directory(models);
  fs::copy(network_, models / "net.onnx");
  for (const auto& item : fs::recursive_directory_iterator(pictures_)) {
    if (item.is_directory()) fs::permissions(item, fs::perms::all);
  }
  for (const fs::path& folder : {fs::path(scratch_), fs::path(pictures_)}) {
    fs::permissions(folder, fs::perms::all);
  }
  fs::permissions(models, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                              fs::perms::others_exec);
  const std::vector<std::string> nobody = {"--reuid=65534", "--regid=65534", "--clear-groups",
                                           HINNY_PROGRAM};
  const auto as_another = [&](const std::vector<std::string>& words) {
    if (::geteuid() != 0) return run_hinny(words);
    std::vector<std::string> all = nobody;
    all.insert(all.end(), words.begin(), words.end());
    return run_program("/usr/bin/setpriv", all);
  };
  if (as_another({"features", "--help"}).code != 0) {
    GTEST_SKIP() << "another user cannot run the programs";
  }
  const Outcome made = as_another(
      {"features", pictures_, "--encoder", models / "net.onnx", "--preset", "torchvision"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("note: cannot"));
  EXPECT_THAT(made.err, HasSubstr("--preset torchvision"));
  EXPECT_TRUE(fs::exists(made_));
  EXPECT_FALSE(fs::exists(models / "net.onnx.json"));
}

TEST_F(NetworksProgram, WrongPresetsAreRefusedInALine) {
  const auto refused = [&](const std::vector<std::string>& words, const char* message) {
    const Outcome outcome = run_hinny(words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  };
  refused({"features", pictures_, "--encoder", network_, "--preset", "clp"},
          "(did you mean 'clip'?)");
  refused({"features", pictures_, "--preset", "clip"}, "a network, FILE.onnx");
  refused({"features", pictures_, "--encoder", network_, "--preset", "clip", "--preprocess", "x"},
          "--preprocess");
  refused({"features", pictures_, "--encoder", network_, "--preset", "clip@1"},
          "a size from 8 to 2048 after '@'");
  refused({"bundle", pictures_, "--preset", "clip", "--out", scratch_ / "b"}, "--network");
  refused({"bundle", pictures_, "--network", network_, "--preset", "clip", "--preset", "clip",
           "--out", scratch_ / "b"},
          "2 presets for 1 networks");
  EXPECT_FALSE(fs::exists(sidecar_));
}

}  // namespace
}  // namespace hinny
