#include "index/pictures/encoded_pictures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

const std::string kModel(32, 'a');

std::string hash(char digit) { return fmt::format("{:0>32}", digit); }

class EncodedPicturesTest : public testing::Test {
 protected:
  std::vector<float> row(const EncodedPictures& encoded, int which) const {
    std::vector<float> numbers(3);
    const std::vector<int> rows = {which};
    encoded.gather(rows, numbers);
    return numbers;
  }
  void fill(int count) const {
    EncodedPictures encoded(file_, kModel, 3);
    for (int i = 0; i < count; ++i) {
      const auto x = static_cast<float>(i);
      encoded.add(hash(static_cast<char>('1' + i)), std::vector<float>{x, x + 0.5F, -x});
    }
    encoded.sync();
  }
  const Scratch folder_;
  const fs::path file_ = folder_ / "index.part";
};

TEST_F(EncodedPicturesTest, AreThereAgain) {
  fill(3);
  EncodedPictures again(file_, kModel, 3);
  EXPECT_EQ(again.size(), 3U);
  EXPECT_EQ(row(again, again.find(hash('2')).value()), (std::vector<float>{1, 1.5F, -1}));
  EXPECT_FALSE(again.find(hash('9')).has_value());
  EXPECT_EQ(again.add(hash('9'), std::vector<float>{7, 8, 9}), 3);
  std::vector<float> two(6);
  again.gather(std::vector<int>{3, 0}, two);
  EXPECT_EQ(two, (std::vector<float>{7, 8, 9, 0, 0.5F, 0}));
  again.remove();
  EXPECT_FALSE(fs::exists(file_));
}

// Killed while it wrote: at any byte what is whole is taken over, and the rest goes on from there.
TEST_F(EncodedPicturesTest, TakeOverWhatIsWhole) {
  fill(3);
  const std::string whole = read_file(file_);
  for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
    write_file(file_, whole.substr(0, bytes));
    std::size_t there = 0;
    {
      EncodedPictures encoded(file_, kModel, 3);
      there = encoded.size();
      const int added = encoded.add(hash('8'), std::vector<float>{4, 5, 6});
      EXPECT_EQ(row(encoded, added), (std::vector<float>{4, 5, 6})) << bytes;
    }
    EXPECT_EQ(EncodedPictures(file_, kModel, 3).size(), there + 1) << bytes;
    const std::size_t record = 48 + 12, header = whole.size() - 3 * record;
    EXPECT_EQ(there, bytes < header ? 0 : (bytes - header) / record) << bytes;
  }
}

// A film is there with all of its frames, or not at all.
TEST_F(EncodedPicturesTest, TakeOverWholeFilms) {
  const std::vector<float> features = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  {
    EncodedPictures encoded(file_, kModel, 3);
    encoded.add(hash('1'), std::vector<float>{9, 9, 9});
    encoded.add_film(hash('2'), std::vector<std::int64_t>{0, 1500, 4000}, features);
    encoded.add(hash('3'), std::vector<float>{8, 8, 8});
  }
  const std::string whole = read_file(file_);
  const std::size_t record = 48 + 12, header = whole.size() - 5 * record;
  for (std::size_t rows = 0; rows <= 5; ++rows) {
    write_file(file_, whole.substr(0, header + rows * record + 7));
    const EncodedPictures encoded(file_, kModel, 3);
    const std::vector<std::size_t> there = {0, 1, 1, 1, 4, 5};
    EXPECT_EQ(encoded.size(), there[rows]);
    const auto* film = encoded.film(hash('2'));
    ASSERT_EQ(film != nullptr, rows >= 4);
    if (film == nullptr) continue;
    ASSERT_EQ(film->size(), 3U);
    EXPECT_EQ((*film)[1].at, 1500);
    EXPECT_EQ(row(encoded, (*film)[2].row), (std::vector<float>{6, 7, 8}));
    EXPECT_FALSE(encoded.find(hash('2')).has_value());
  }
}

TEST_F(EncodedPicturesTest, HaveOneWriterAtATime) {
  const EncodedPictures one(file_, kModel, 3);
  EXPECT_THROW(EncodedPictures(file_, kModel, 3), InputError);
}

TEST_F(EncodedPicturesTest, OfAnotherModelStartAnew) {
  fill(2);
  EXPECT_EQ(EncodedPictures(file_, std::string(32, 'b'), 3).size(), 0U);
  fill(2);
  EXPECT_EQ(EncodedPictures(file_, kModel, 4).size(), 0U);
  fill(2);
  std::string text = read_file(file_);
  text[text.size() - 60] = 'z';  // the second hash: lost by the disk
  write_file(file_, text);
  EXPECT_EQ(EncodedPictures(file_, kModel, 3).size(), 1U);
  EXPECT_THROW(EncodedPictures(file_, kModel, 3).add(hash('1'), std::vector<float>{1}),
               std::invalid_argument);
}

}  // namespace
}  // namespace hinny
