// Positions of a square of patches, for pictures of another size.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hinny {

// [from, from, width] -> [to, to, width] by bicubic interpolation, as published code resizes the
// positions of DINOv2 (Oquab et al. 2023): Keys' a = -0.75, the edges repeated; or, of the one with
// registers, smoothly: a = -0.5, over as many places as become one.
std::vector<float> resize_positions(std::span<const float> grid, std::size_t from, std::size_t to,
                                    std::size_t width, bool smoothly);

}  // namespace hinny
