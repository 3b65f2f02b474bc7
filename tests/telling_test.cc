// What ends in a model that finds nothing is told: features that are all the same, a collapse.
#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/npy.h"
#include "base/read_file.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class Telling : public testing::Test {
 protected:
  void write_features(const std::function<float(std::size_t image, std::size_t number)>& at) const {
    NpyWriter writer(data_.folder() / "features" / "toy.npy", {12}, NpyType::float32);
    for (std::size_t image = 0; image < 40; ++image) {
      std::vector<float> row(12);
      for (std::size_t n = 0; n < 12; ++n) row[n] = at(image, n);
      writer.append(row);
    }
    writer.commit();
  }
  Outcome train(Words more = {}) const {
    more.insert(more.end(), {"--set", "train.epochs=2"});
    return run_hinny(tiny_training(data_.folder(), run_, more));
  }
  std::string card() const { return read_file(fs::path(run_) / "README.md"); }

  TinyDataset data_;
  Scratch scratch_;
  std::string run_ = scratch_ / "run";
};

TEST_F(Telling, NothingIsToldOfSoundFeatures) {
  const Outcome outcome = train();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("warning")));
  EXPECT_THAT(card(), Not(HasSubstr("Warnings")));
}

TEST_F(Telling, FeaturesThatAreAllTheSame) {
  write_features([](std::size_t, std::size_t) { return 1.0F; });
  const Outcome outcome = train();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string same = "the numbers of all 24 training images are the same";
  EXPECT_LT(outcome.err.find(same), outcome.err.find("trained ")) << outcome.err;
  EXPECT_NE(outcome.err.find(same), outcome.err.rfind(same)) << "not told again at the end";
  EXPECT_THAT(card(), AllOf(HasSubstr("## Warnings"), HasSubstr(same)));
}

TEST_F(Telling, RowsOfZerosAndNumbersThatNeverChange) {
  write_features([](std::size_t image, std::size_t n) {
    return image % 8 == 0 || n > 8 ? 0.0F : static_cast<float>((image * 7 + n) % 11) + 1;
  });
  const Outcome outcome = train();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("3 of 24 training images have nothing but zeros"),
                                 HasSubstr("3 of 12 numbers are the same")));
}

// Without biases the vector of a picture without numbers has no length.
TEST_F(Telling, VectorsOfLength0) {
  write_features([](std::size_t, std::size_t) { return 0.0F; });
  const Outcome outcome = train({"--set", "image.hidden=0", "--set", "image.standardise=false"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Outcome eval = run_hinny({"eval", run_, "--data", data_.folder(), "--json"});
  ASSERT_EQ(eval.code, 0) << eval.err;
  EXPECT_THAT(eval.err + outcome.err, testing::AnyOf(HasSubstr("vectors of length 0"),
                                                     HasSubstr("lie almost in one point")));
}

// A rate so high that all captions end in one point, and a validation or none to see it by.
TEST_F(Telling, ACollapseHoweverSeldomItIsValidated) {
  write_features([](std::size_t, std::size_t) { return 1.0F; });
  const Outcome once = train({"--set", "train.validate_every=1000"});
  ASSERT_EQ(once.code, 0) << once.err;
  EXPECT_THAT(once.err, HasSubstr("the model has collapsed: pictures lie almost in one point"));
  EXPECT_THAT(card(), HasSubstr("the model has collapsed"));
  EXPECT_THAT(read_file(fs::path(run_) / "metrics.jsonl"), HasSubstr("\"spread\":{"));

  const fs::path images = data_.folder() / "images.jsonl";
  std::string text = read_file(images);
  for (auto at = text.find("\"val\""); at != std::string::npos; at = text.find("\"val\"")) {
    text.replace(at, 5, "\"left\"");
  }
  write_file(images, text);
  run_ = scratch_ / "never";
  const Outcome never = train();
  ASSERT_EQ(never.code, 0) << never.err;
  EXPECT_THAT(never.err, AllOf(HasSubstr("note: nothing to validate on"),
                               HasSubstr("the model has collapsed: pictures lie")));
}

}  // namespace
}  // namespace hinny
