// What stands out from a picture's background.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vision/builtin/colours.h"
#include "vision/picture.h"

namespace hinny {

// A connected piece of foreground.
struct Thing {
  int x = 0;  // the box around it
  int y = 0;
  int width = 0;
  int height = 0;
  int area = 0;  // pixels
  // [height, width]: 0 not of it, 1 in its main colour, 2 in another.
  std::vector<std::uint8_t> mask;
  std::array<float, kColours> colours{};  // shares, sharpened; the sum is 1
};

struct Scene {
  std::vector<Thing> things;             // largest first, at most kMostThings
  std::vector<std::uint8_t> background;  // [height, width], 1 where it is
};

constexpr std::size_t kMostThings = 24;

// Grows evenly coloured regions, takes those that make up the picture's border for background,
// and joins what touches of the rest. On photographs, where little is even, the things are rough
// patches.
Scene find_things(const Picture& picture);

}  // namespace hinny
