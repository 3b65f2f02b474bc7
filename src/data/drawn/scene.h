// The content of a drawn picture, before it is painted or described: groups of equal objects on a
// background, each group in a box of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"

namespace hinny::drawn {

enum class Kind : std::uint8_t {
  ball,
  box,
  triangle,
  star,
  heart,
  house,
  tree,
  car,
  fish,
  boat,
  flower,
  cup,
  bird,
  apple,
  key,
  umbrella,
};
enum class Color : std::uint8_t { red, blue, green, yellow, black, white, purple, orange };
enum class Size : std::uint8_t { small, medium, large };
enum class Background : std::uint8_t { sky, meadow, sand, night, snow, water, wall, room };
enum class Relation : std::uint8_t { left_of, right_of, above, below };

inline constexpr std::size_t kKinds = 16;
inline constexpr std::size_t kColors = 8;
inline constexpr std::size_t kSizes = 3;
inline constexpr std::size_t kBackgrounds = 8;
inline constexpr std::size_t kRelations = 4;
inline constexpr int kMostCount = 5;

// Position of an enumerator in a table with one entry per enumerator.
template <typename Enumeration>
constexpr std::size_t at(Enumeration value) {
  return static_cast<std::size_t>(value);
}

inline constexpr double kCanvas = 224;  // pixels, both ways; y grows downwards

struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // x, y: the upper left corner
  double middle_x() const { return x + width / 2; }
  double middle_y() const { return y + height / 2; }
};

struct Group {
  Kind kind = Kind::ball;
  Color color = Color::red;
  Size size = Size::medium;  // of each object
  int count = 1;             // 1 to kMostCount
  Box box;                   // all objects of the group lie in it
};

struct Scene {
  Background background = Background::sky;
  std::vector<Group> groups;  // 2 to 4, all of different kinds
  std::uint64_t details = 0;  // seed for what captions never mention (tilt, shade, clouds)
};

// A random scene: boxes inside the canvas and apart from each other, colours that can be seen
// on the background.
Scene sample_scene(Random& random);

// Where the objects of a group lie: squares of equal size inside its box, none overlapping.
std::vector<Box> object_boxes(const Group& group);

// How `a` lies to `b`, when a viewer would not hesitate; diagonal pairs have no relation.
std::optional<Relation> relation_between(const Group& a, const Group& b);

}  // namespace hinny::drawn
