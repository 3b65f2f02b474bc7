#include "index/vectors/row_mask.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace hinny {
namespace {

TEST(RowMask, IsWhatAListOfRowsIs) {
  Random random(1);
  for (const std::size_t rows : {0U, 1U, 63U, 64U, 65U, 128U, 1000U}) {
    std::vector<bool> one(rows), other(rows);
    RowMask mask(rows), second(rows, true);
    EXPECT_TRUE(mask.none());
    EXPECT_EQ(second.count(), rows);
    for (std::size_t row = 0; row < rows; ++row) {
      one[row] = random.below(2) == 0;
      other[row] = random.below(3) != 0;
      if (one[row]) mask.add(row);
      if (!other[row]) second.remove(row);
    }
    mask.keep(second);
    mask.keep_if(0, rows, [](std::size_t row) { return row % 5 != 0; });
    std::vector<std::size_t> left;
    for (std::size_t row = 0; row < rows; ++row) {
      const bool stays = one[row] && other[row] && row % 5 != 0;
      EXPECT_EQ(mask[row], stays);
      if (stays) left.push_back(row);
    }
    EXPECT_EQ(mask.listed(), left);
    EXPECT_EQ(RowMask(rows, left).listed(), left);
    EXPECT_EQ(mask.count(), left.size());
    EXPECT_EQ(mask.none(), left.empty());
    if (rows < 128) continue;
    std::erase_if(left, [](std::size_t row) { return row < 64 || row >= 128; });
    EXPECT_EQ(mask.count(64, 128), left.size());
    std::vector<std::size_t> some;
    mask.for_each(64, 128, [&](std::size_t row) { some.push_back(row); });
    EXPECT_EQ(some, left);
  }
}

}  // namespace
}  // namespace hinny
