#include "data/feature_facts.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/npy.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace {

using Change = std::function<void(std::size_t image, std::vector<float>& row)>;

// Of the training images of the tiny set, with features that were changed.
FeatureFacts facts_with(const Change& change) {
  const TinyDataset data;
  const Dataset dataset = Dataset::load(data.folder());
  {
    NpyWriter writer(data.folder() / "features" / "other.npy", {12}, NpyType::float32);
    for (std::size_t image = 0; image < 40; ++image) {
      std::vector<float> row(12);
      for (std::size_t n = 0; n < 12; ++n) row[n] = static_cast<float>(1 + (image * 7 + n) % 13);
      change(image, row);
      writer.append(row);
    }
    writer.commit();
  }
  return feature_facts(Features::open(dataset, "other"), dataset.split("train"));
}

TEST(FeatureFacts, OfSoundFeaturesThereIsNothingToSay) {
  const FeatureFacts facts = facts_with([](std::size_t, std::vector<float>&) {});
  EXPECT_EQ(facts.images, 24U);
  EXPECT_EQ(facts.numbers, 12);
  EXPECT_EQ(facts.zero, 0U);
  EXPECT_EQ(facts.constant, 0);
  EXPECT_FALSE(facts.all_equal());
}

TEST(FeatureFacts, CountRowsOfZerosAndNumbersThatNeverChange) {
  const FeatureFacts facts = facts_with([](std::size_t image, std::vector<float>& row) {
    row[3] = row[4] = 0;
    if (image % 8 == 0) std::fill(row.begin(), row.end(), 0.0F);
  });
  EXPECT_EQ(facts.zero, 3U);
  EXPECT_EQ(facts.constant, 2);
  EXPECT_FALSE(facts.all_equal());
}

TEST(FeatureFacts, AllEqualIsSeen) {
  const FeatureFacts facts = facts_with(
      [](std::size_t, std::vector<float>& row) { std::fill(row.begin(), row.end(), 1.0F); });
  EXPECT_TRUE(facts.all_equal());
  EXPECT_EQ(facts.zero, 0U);
}

}  // namespace
}  // namespace hinny
