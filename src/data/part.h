// One part of work that is divided among machines, and how the parts find each other again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

constexpr const char* kPartFile = "part.json";  // in the folder of each part

// The third of sixteen blocks of what there is, in its order.
struct Part {
  std::size_t number = 1;
  std::size_t total = 1;

  // "3/16"; throws InputError for anything else.
  static Part parse(std::string_view text);
  // Its place among `count` things. Blocks differ by one at most; some are empty where there are
  // fewer things than parts.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  Range range(std::size_t count) const;
  std::string text() const;  // "3/16"

  bool operator==(const Part&) const = default;
};

struct PartRecord {
  Part part;
  std::string whole;  // a hash of all that parts of one whole share: the things' names, settings

  bool operator==(const PartRecord&) const = default;
};

void write_part_record(const std::filesystem::path& folder, const PartRecord& record);
// nullopt where the folder is no part. Throws InputError for a broken file.
std::optional<PartRecord> read_part_record(const std::filesystem::path& folder);

// These folders in the order of their parts. Throws InputError unless each is a part, all of one
// whole, and each of its parts is there once.
std::vector<std::filesystem::path> parts_in_order(
    const std::vector<std::filesystem::path>& folders);

}  // namespace hinny
