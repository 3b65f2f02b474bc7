// Places on the earth.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hinny {

// Degrees, north and east; latitude within 90, longitude within 180.
struct Coordinates {
  double latitude = 0, longitude = 0;

  bool operator==(const Coordinates&) const = default;
};

// What a picture's notes say in degrees, where both are said: nullopt for a place that cannot be,
// and for 0, 0, which devices write that know none.
std::optional<Coordinates> noted_place(std::optional<double> latitude,
                                       std::optional<double> longitude);

// Kilometres between two places on a sphere of the earth's mean radius (haversine).
double distance(const Coordinates& a, const Coordinates& b);

// "47.376888,8.541694": degrees, north and east, blanks allowed after the comma. nullopt for
// anything else, and for a place that cannot be.
std::optional<Coordinates> parse_coordinates(std::string_view text);
std::string coordinates_text(const Coordinates& place);  // six decimals: a tenth of a metre

// "10km", "500m", "2mi", or kilometres without a unit -> kilometres above 0.
std::optional<double> parse_distance(std::string_view text);

}  // namespace hinny
