// Places as people and files write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vision/picture_facts.h"

namespace hinny {

// "47.376888,8.541694": degrees, north and east, blanks allowed after the comma. nullopt for
// anything else, and for a place that cannot be.
std::optional<Coordinates> parse_place(std::string_view text);
std::string place_text(const Coordinates& place);  // six decimals: a tenth of a metre

// "10km", "500m", "2mi", or kilometres without a unit -> kilometres above 0.
std::optional<double> parse_distance(std::string_view text);

}  // namespace hinny
