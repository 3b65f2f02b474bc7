// Names of places on the earth, by a list of towns that the person has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/coordinates.h"

namespace hinny {

struct Town {
  std::string name;               // with its country's code: "Lisbon, PT"
  std::vector<std::string> also;  // what else it is called, in any language: "Lissabon"
};

class Gazetteer {
 public:
  // A text of GeoNames, of 19 columns parted by tabs: cities500.txt, cities15000.txt, the file of a
  // country. Of it the places where people live. Throws InputError for a file of another form, one
  // without such places, and one of more than a million.
  explicit Gazetteer(const std::filesystem::path& file);

  // The town on whose edge, or nearest to it, or furthest inside, a place lies: how far a town
  // reaches is guessed by how many people live there. nullptr where no edge is within 30 km. The
  // first in the file of those that are equal.
  const Town* at(const Coordinates& place) const;

 private:
  struct Entry {
    Town town;
    Coordinates centre;
    double reach = 0;  // kilometres
  };
  void add(std::string_view line, std::size_t number);

  std::filesystem::path file_;
  std::vector<Entry> entries_;
  std::unordered_map<std::int32_t, std::vector<std::uint32_t>> by_cell_;  // of a degree each way
};

}  // namespace hinny
