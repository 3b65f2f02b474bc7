#include "index/asking/region_scores.h"

#include <gtest/gtest.h>

#include <string>

namespace hinny {
namespace {

// "4x5", or "" for none.
std::string grid(std::string_view features, std::size_t regions) {
  const auto found = grid_named(features, regions);
  return found ? std::to_string(found->rows) + "x" + std::to_string(found->columns) : "";
}

TEST(GridNamed, IsWhatTheFeaturesNameSaysOfSoManyRegions) {
  EXPECT_EQ(grid("inceptionv3-grid4x5-pca256", 20), "4x5");
  EXPECT_EQ(grid("inceptionv3-grid4x5-pca256", 16), "");
  EXPECT_EQ(grid("grid-grid3x3", 9), "3x3");
  EXPECT_EQ(grid("grid99999x1", 99999), "");
  for (const char* none : {"", "grid", "grid4", "grid4x", "gridx4", "regions"}) {
    EXPECT_EQ(grid(none, 4), "") << none;
  }
}

}  // namespace
}  // namespace hinny
