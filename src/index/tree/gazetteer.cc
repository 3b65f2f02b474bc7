#include "index/tree/gazetteer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/lines.h"
#include "base/utf8.h"

namespace hinny {
namespace {

constexpr std::size_t kMostTowns = 1'000'000;
constexpr double kFarthest = 30;           // kilometres from a town's edge
constexpr double kPeopleOfACircle = 9500;  // in a square kilometre 3,000, times pi
constexpr double kMostReach = 40;
constexpr const char* kExpected = "19 columns parted by tabs, as GeoNames' cities500.txt has";

// Of GeoNames' columns those that are read.
enum : std::size_t {
  kName = 1,
  kAsciiName = 2,
  kAlternateNames = 3,
  kLatitude = 4,
  kLongitude = 5,
  kClass = 6,
  kCode = 7,
  kCountry = 8,
  kPopulation = 14,
  kColumns = 19
};

std::optional<std::array<std::string_view, kColumns>> columns_of(std::string_view line) {
  std::array<std::string_view, kColumns> columns;
  for (std::size_t i = 0; i < kColumns; ++i) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    columns[i] = line.substr(0, end);
    if ((i + 1 == kColumns) != (end == line.size())) return std::nullopt;
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return columns;
}

// Where people live: no section of a town, and none that was given up.
bool is_town(std::string_view kind, std::string_view code) {
  constexpr std::array<std::string_view, 5> kOthers = {"PPLX", "PPLH", "PPLQ", "PPLW", "PPLCH"};
  return kind == "P" && std::ranges::find(kOthers, code) == kOthers.end();
}

// Each of them once; nothing so long that it is no name.
std::vector<std::string> other_names(std::string_view ascii, std::string_view list,
                                     std::string_view name) {
  constexpr std::size_t kLongest = 100;
  std::set<std::string_view> seen = {name, ""};
  std::vector<std::string> names;
  const auto take = [&](std::string_view other) {
    if (other.size() <= kLongest && seen.insert(other).second) names.emplace_back(other);
  };
  take(ascii);
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    take(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

int degree(double angle) { return static_cast<int>(std::floor(angle)); }
// Of a parallel from 0 to 359, whatever it is counted as.
std::int32_t cell(int latitude, int longitude) {
  constexpr int kAround = 360;
  return latitude * kAround + ((longitude % kAround) + kAround) % kAround;
}

}  // namespace

Gazetteer::Gazetteer(const std::filesystem::path& file) : file_(file) {
  for_each_line(
      file, [this](std::string_view line, std::size_t number) { add(line, number); },
      Encoding::any);  // so that an archive is told to be one
  if (entries_.empty()) throw InputError(file, "no town in it", kExpected);
}

void Gazetteer::add(std::string_view line, std::size_t number) {
  if (line.starts_with("PK\x03\x04")) {
    throw InputError(file_, "a zip archive", "the text that is in it: unzip it");
  }
  const auto columns = columns_of(line);
  if (!columns || !is_utf8(line))
    throw InputError(file_, number, "a line of another form", kExpected);
  const auto& c = *columns;
  if (!is_town(c[kClass], c[kCode]) || c[kName].empty()) return;
  const auto centre = parse_coordinates(fmt::format("{},{}", c[kLatitude], c[kLongitude]));
  std::uint64_t people = 0;
  const auto [end, problem] =
      std::from_chars(c[kPopulation].data(), c[kPopulation].data() + c[kPopulation].size(), people);
  const bool counted =
      problem == std::errc() && end == c[kPopulation].data() + c[kPopulation].size();
  if (!centre || !(counted || c[kPopulation].empty())) {
    throw InputError(file_, number,
                     fmt::format("coordinates '{}', '{}' and population '{}'", c[kLatitude],
                                 c[kLongitude], c[kPopulation]),
                     kExpected);
  }
  if (entries_.size() == kMostTowns) {
    throw InputError(file_, number, "too large: more than 1,000,000 towns", "cities500.txt, say");
  }
  const double reach = std::sqrt(static_cast<double>(people) / kPeopleOfACircle);
  by_cell_[cell(degree(centre->latitude), degree(centre->longitude))].push_back(
      static_cast<std::uint32_t>(entries_.size()));
  const std::string country = c[kCountry].empty() ? "" : fmt::format(", {}", c[kCountry]);
  entries_.push_back(
      {{std::string(c[kName]) + country, other_names(c[kAsciiName], c[kAlternateNames], c[kName])},
       *centre,
       std::min(reach, kMostReach)});
}

const Town* Gazetteer::at(const Coordinates& place) const {
  // A degree of latitude is 111 km; one of longitude so much less as the parallel is shorter.
  constexpr double kDegree = 111, kStraight = 0.01;
  const double shorter = std::cos((std::abs(place.latitude) + 1) * std::numbers::pi / 180);
  const int aside =
      shorter < kStraight
          ? 180
          : std::min(180, 1 + static_cast<int>((kFarthest + kMostReach) / (kDegree * shorter)));
  const Entry* best = nullptr;
  double least = kFarthest;
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  for (int north = -1; north <= 1; ++north) {
    for (int east = -aside; east <= std::min(aside, 179); ++east) {
      const auto found =
          by_cell_.find(cell(degree(place.latitude) + north, degree(place.longitude) + east));
      if (found == by_cell_.end()) continue;
      for (const std::uint32_t i : found->second) {
        const Entry& entry = entries_[i];
        const double from_edge = distance(place, entry.centre) - entry.reach;
        if (from_edge > least || (from_edge == least && i > first)) continue;
        best = &entry;
        least = from_edge;
        first = i;
      }
    }
  }
  return best == nullptr ? nullptr : &best->town;
}

}  // namespace hinny
