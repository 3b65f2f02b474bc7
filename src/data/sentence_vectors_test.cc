#include "data/sentence_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "base/error.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class SentenceVectorsTest : public testing::Test {
 protected:
  // Row i of the 160 captions holds i and -i.
  void write(std::size_t rows, float last = 0) const {
    std::filesystem::create_directories(data_.folder() / "sentences");
    std::vector<float> numbers;
    for (std::size_t i = 0; i < rows; ++i) {
      numbers.insert(numbers.end(), {static_cast<float>(i), -static_cast<float>(i)});
    }
    numbers.back() += last;
    write_npy(data_.folder() / "sentences" / "bert.npy", numbers,
              {static_cast<std::int64_t>(rows), 2});
  }
  void expect_refused(const std::string& name, const std::string& message) const {
    const Dataset dataset = Dataset::load(data_.folder());
    EXPECT_THAT([&] { SentenceVectors::open(dataset, name); },
                ThrowsMessage<InputError>(HasSubstr(message)));
  }

  TinyDataset data_;
};

TEST_F(SentenceVectorsTest, RowsFollowTheFileEvenWhenALanguageIsLeftOut) {
  write(160);
  const Dataset all = Dataset::load(data_.folder());
  const Dataset german = Dataset::load(data_.folder(), {{"de"}, {}});
  const SentenceVectors vectors = SentenceVectors::open(german, "bert");
  ASSERT_EQ(vectors.dim(), 2);
  ASSERT_EQ(german.captions().size(), 80U);
  for (const Caption& caption : german.captions()) {
    const std::vector<int> places = {caption.place};
    std::vector<float> row(2);
    vectors.gather(places, row);
    EXPECT_EQ(row[0], -row[1]);
    EXPECT_EQ(all.captions()[static_cast<std::size_t>(row[0])].text, caption.text);
  }
}

TEST_F(SentenceVectorsTest, WhatDoesNotFitIsRefused) {
  expect_refused("bert", "NAME.npy");
  write(159);
  expect_refused("bert", "expected 160, one for each caption");
  write(160, std::numeric_limits<float>::infinity());
  expect_refused("bert", "NaN or infinity in row 159");
  expect_refused("brt", "one of bert");
}

}  // namespace
}  // namespace hinny
