// Which regions of a picture lie behind the things in it.
#pragma once

#include <vector>

#include "vision/builtin/regions.h"

namespace hinny {

// For each region, true when it is background:
//   colours that make up much of the picture's border, wherever they occur (a wall's bricks);
//   pale patches that meet it without an outline (clouds, foam).
std::vector<bool> find_background(const Regions& regions, int width);

}  // namespace hinny
