// Statistics of a picture's cells, which need no things to stand out.
#pragma once

#include <vector>

#include "vision/picture.h"

namespace hinny {

constexpr int kGrid = 4;        // cells per side
constexpr int kDirections = 8;  // of edges, half a turn

// Share of each colour name in each cell, [kGrid, kGrid, kColours].
std::vector<float> colour_grid(const Picture& picture);

// Strength of edges by direction in each cell, [kGrid, kGrid, kDirections]: a histogram of
// oriented gradients (Dalal and Triggs 2005), its root taken.
std::vector<float> edge_grid(const Picture& picture);

}  // namespace hinny
