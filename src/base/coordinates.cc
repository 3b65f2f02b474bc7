#include "base/coordinates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

namespace hinny {
namespace {

// The number that `text` begins with, which is taken off.
std::optional<double> take_number(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || !std::isfinite(number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (text.starts_with(' ')) text.remove_prefix(1);
  return number;
}

}  // namespace

std::optional<Coordinates> noted_place(std::optional<double> latitude,
                                       std::optional<double> longitude) {
  if (!latitude || !longitude || (*latitude == 0 && *longitude == 0)) return std::nullopt;
  const bool possible = std::abs(*latitude) <= 90 && std::abs(*longitude) <= 180;  // no NaN, too
  return possible ? std::optional(Coordinates{*latitude, *longitude}) : std::nullopt;
}

double distance(const Coordinates& a, const Coordinates& b) {
  constexpr double kEarth = 6371.0088, kRadian = std::numbers::pi / 180;
  const double north = std::sin((b.latitude - a.latitude) * kRadian / 2);
  const double east = std::sin((b.longitude - a.longitude) * kRadian / 2);
  const double half =
      north * north + std::cos(a.latitude * kRadian) * std::cos(b.latitude * kRadian) * east * east;
  return 2 * kEarth * std::asin(std::min(1.0, std::sqrt(half)));
}

std::optional<Coordinates> parse_coordinates(std::string_view text) {
  const auto latitude = take_number(text);
  if (!latitude || !text.starts_with(',')) return std::nullopt;
  text.remove_prefix(1);
  const auto longitude = take_number(text);
  if (!longitude || !text.empty()) return std::nullopt;
  if (std::abs(*latitude) > 90 || std::abs(*longitude) > 180) return std::nullopt;
  return Coordinates{*latitude, *longitude};
}

std::string coordinates_text(const Coordinates& place) {
  return fmt::format("{:.6f},{:.6f}", place.latitude, place.longitude);
}

std::optional<double> parse_distance(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
      {{"", 1}, {"km", 1}, {"m", 0.001}, {"mi", 1.609344}}};
  const auto number = take_number(text);
  if (!number || *number <= 0) return std::nullopt;
  for (const auto& [unit, kilometres] : kUnits) {
    if (text == unit) return *number * kilometres;
  }
  return std::nullopt;
}

}  // namespace hinny
