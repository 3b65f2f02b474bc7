// Lines of a list of towns, for tests.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace hinny {

// As GeoNames writes it.
inline std::string town_line(std::string_view name, std::string_view country, double latitude,
                             double longitude, int people, std::string_view ascii = "",
                             std::string_view others = "", std::string_view code = "PPL",
                             std::string_view kind = "P") {
  return fmt::format(
      "7\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t\t11\t\t\t\t{}\t\t12\tEurope/Lisbon\t2024-01-01\n", name,
      ascii, others, latitude, longitude, kind, code, country, people);
}

}  // namespace hinny
