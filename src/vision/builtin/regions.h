// Evenly coloured regions of a picture.
#pragma once

#include <vector>

#include "vision/builtin/colours.h"
#include "vision/picture.h"

namespace hinny {

struct Region {
  int area = 0;
  int border = 0;  // pixels on the picture's edge
  Rgb colour;      // mean
};

struct Regions {
  std::vector<Region> list;
  std::vector<int> of;  // [height, width]: position in `list`, or -1 for scattered pixels
};

// Neighbours join when they differ little. The faint blends that drawing leaves along edges go to
// the region beside them whose colour is nearest.
Regions find_regions(const Picture& picture);

}  // namespace hinny
