#include "base/coordinates.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(Coordinates, AreWrittenAndRead) {
  EXPECT_EQ(parse_coordinates("47.3769,8.5417"), (Coordinates{47.3769, 8.5417}));
  EXPECT_EQ(parse_coordinates(" -22.9, -43.2 "), (Coordinates{-22.9, -43.2}));
  for (const char* text : {"", "47", "47,", ",8", "47;8", "91,0", "0,181", "nan,1", "inf,1",
                           "1,2,3", "a,b", "1e999,0"}) {
    EXPECT_FALSE(parse_coordinates(text)) << text;
  }
  EXPECT_EQ(coordinates_text({47.3769, -8.5}), "47.376900,-8.500000");
  EXPECT_EQ(parse_distance("500m"), 0.5);
  EXPECT_EQ(parse_distance("10 km"), 10);
  EXPECT_EQ(parse_distance("3"), 3);
  EXPECT_NEAR(parse_distance("2mi").value(), 3.218688, 1e-9);
  for (const char* text : {"", "0", "-1km", "10 miles", "km", "nan"})
    EXPECT_FALSE(parse_distance(text)) << text;
}

// Figures of the haversine on a sphere of 6371.0088 km: a degree of a meridian, half the equator.
TEST(Coordinates, AreSoFarApart) {
  EXPECT_NEAR(distance({0, 10}, {1, 10}), 111.195, 0.001);
  EXPECT_NEAR(distance({0, -90}, {0, 90}), 20015.11, 0.01);
  EXPECT_NEAR(distance({47.3769, 8.5417}, {46.9480, 7.4474}), 95.4, 0.5);  // Zurich, Berne
  EXPECT_EQ(distance({47, 8}, {47, 8}), 0);
  EXPECT_NEAR(distance({10, 179.9}, {10, -179.9}), 21.9, 0.1);  // over the date line
}

}  // namespace
}  // namespace hinny
