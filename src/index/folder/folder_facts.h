// What an index of a folder of pictures knows of its images beside their vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/tree/gazetteer.h"
#include "vision/picture_facts.h"

namespace hinny {

// One of a few names for each image.
struct ImageNames {
  std::vector<std::string> names{""};  // each once, "" the first
  std::vector<std::uint32_t> of{};     // of each image, a position in names

  const std::string& of_image(std::size_t image) const { return names[of[image]]; }
};

// Which town is called what.
class TownIndex {
 public:
  // The towns of an index by their numbers in ImageNames::names.
  void add(const Town& town, std::uint32_t number);

  // The towns that are called so in any language, in whatever case: of "lisbon", "Lissabon",
  // "Lisbon PT" and "Lisbon, PT" the same; of "springfield" each of that name.
  std::span<const std::uint32_t> called(std::string_view name) const;
  // Words of the longest name.
  std::size_t longest() const { return longest_; }

 private:
  void add(std::string_view name, std::uint32_t number);

  std::unordered_map<std::string, std::vector<std::uint32_t>> towns_;  // by plain_text
  std::size_t longest_ = 0;
};

// Vectors have an element for each image, in their order; all are empty where the index was not
// made from a folder.
struct FolderFacts {
  std::filesystem::path root;
  std::vector<std::int64_t> times;  // index/asking/filter.h
  std::vector<TakenFrom> from;      // what says so
  std::vector<std::optional<Coordinates>> places;
  ImageNames cameras, lenses, exposures, towns;
  struct Size {
    std::int64_t width = 0, height = 0;  // pixels, as it is shown; 0: not known
  };
  std::vector<Size> sizes;
  TownIndex town_index;
  std::unordered_map<std::size_t, std::vector<std::string>> raw;  // names of raw files beside one

  bool known() const { return !times.empty(); }
  std::vector<std::string> raw_beside(std::size_t image) const {
    const auto found = raw.find(image);
    return found == raw.end() ? std::vector<std::string>() : found->second;
  }
};

// nullopt where the index was not made from a folder. Throws InputError for broken records, and for
// those of another number of images.
std::optional<FolderFacts> read_folder_facts(const std::filesystem::path& index,
                                             std::size_t images);

}  // namespace hinny
