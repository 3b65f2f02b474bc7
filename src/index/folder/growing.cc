#include "index/folder/growing.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/checksums.h"
#include "model/json_node.h"

namespace hinny {
namespace fs = std::filesystem;

void write_growing(const fs::path& index, std::size_t expected) {
  write_file(index / kGrowingFile, fmt::format("{{\"expected\": {}}}\n", expected));
}

std::size_t expected_images(const fs::path& index) {
  constexpr std::uint64_t kMostBytes = 1000;
  constexpr std::int64_t kMostImages = std::int64_t{1} << 40U;
  const fs::path file = index / kGrowingFile;
  if (!fs::exists(file)) return 0;
  check_if_listed(index, kGrowingFile);
  const JsonNode root = JsonNode::read(file, kMostBytes);
  root.only({"expected"});
  return static_cast<std::size_t>(root.at("expected").integer(1, kMostImages));
}

}  // namespace hinny
