#include "index/asking/shown_size.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(ShownSize, ABoundIsSidesOrMillionsOfPixels) {
  const auto sides = parse_size_bound("1920x1080");
  ASSERT_TRUE(sides);
  EXPECT_EQ(sides->width, 1920);
  EXPECT_EQ(sides->height, 1080);
  EXPECT_EQ(size_bound_text(*sides), "1920 x 1080 pixels");
  for (const char* text : {"12MP", "12 MP", "12mp", "12.0MP"}) {
    const auto bound = parse_size_bound(text);
    ASSERT_TRUE(bound) << text;
    EXPECT_EQ(bound->megapixels, 12) << text;
    EXPECT_EQ(size_bound_text(*bound), "12 MP") << text;
  }
  for (const char* text :
       {"", "x", "12", "12M", "0MP", "-1MP", "1920x", "x1080", "0x5", "1920x-1", "1920x1080x3",
        "1920 x 1080", "1e999MP", "nanMP", "infMP", "12 MPx", "99999999999999999999x1"}) {
    EXPECT_FALSE(parse_size_bound(text)) << text;
  }
}

TEST(ShownSize, BoundsCountWhatTheyEqual) {
  const SizeBound sides{4000, 3000, 0}, millions{0, 0, 12};
  for (const SizeBound& bound : {sides, millions}) {
    EXPECT_TRUE(at_least({4000, 3000}, bound));
    EXPECT_TRUE(at_most({4000, 3000}, bound));
    EXPECT_FALSE(at_least({3999, 3000}, bound));
    EXPECT_FALSE(at_most({4001, 3000}, bound));
    EXPECT_FALSE(at_least({0, 0}, bound));
    EXPECT_FALSE(at_most({0, 0}, bound));
  }
  EXPECT_FALSE(at_least({3000, 4000}, sides));  // as it is shown
  EXPECT_TRUE(at_least({3000, 4000}, millions));
}

TEST(ShownSize, ASquareMayMissALittle) {
  EXPECT_EQ(shape_of({4000, 3000}), Shape::landscape);
  EXPECT_EQ(shape_of({3000, 4000}), Shape::portrait);
  EXPECT_EQ(shape_of({1080, 1080}), Shape::square);
  EXPECT_EQ(shape_of({1080, 1059}), Shape::square);
  EXPECT_EQ(shape_of({1080, 1050}), Shape::landscape);
  EXPECT_EQ(shape_of({1, 1}), Shape::square);
  EXPECT_EQ(shape_of({0, 0}), Shape::any);
}

}  // namespace
}  // namespace hinny
