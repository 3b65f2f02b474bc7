// What a thing's outline looks like, whatever its size and place.
#pragma once

#include <vector>

#include "vision/builtin/things.h"

namespace hinny {

constexpr int kTemplate = 7;       // outline template: cells per side
constexpr int kDetail = 4;         // template of differently coloured parts
constexpr int kHarmonics = 8;      // of the distance from the centre to the outline
constexpr int kShapeNumbers = 10;  // solidity, roundness, ...
constexpr int kShapeSize = kTemplate * kTemplate + kDetail * kDetail + kHarmonics + kShapeNumbers;

// Numbers of order 1, [kShapeSize]:
//   the share of each cell of the box that the thing covers (stretched to a square);
//   the same for its parts of other colours;
//   Fourier magnitudes of the outline's distance from the centre by angle (turning the thing
//   changes nothing);
//   solidity, roundness, box fill, aspect, centre of mass (2), elongation with its direction (2),
//   share of holes, share of parts in other colours.
std::vector<float> describe_shape(const Thing& thing);

}  // namespace hinny
