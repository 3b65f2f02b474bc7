#include "index/folder/read_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/error.h"
#include "base/path_text.h"
#include "model/json_node.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;  // some tens of millions of images

// A name that stays inside its folder.
bool stays_inside(const fs::path& file) {
  return !file.is_absolute() && std::find(file.begin(), file.end(), "..") == file.end();
}

std::vector<std::string> names(const JsonNode& root, std::string_view key) {
  std::vector<std::string> list = root.at(key).strings();
  for (const std::string& file : list) {
    if (!stays_inside(file)) {
      root.at(key).refuse(fmt::format("hold '{}'", file), "names inside their folder");
    }
  }
  return list;
}

void check_count(const JsonNode& root, std::string_view key, std::size_t count,
                 std::size_t images) {
  if (count == images) return;
  root.at(key).refuse(fmt::format("are {}", count), fmt::format("{}, one for each image", images));
}

int code_bits(const JsonNode& node) {
  const auto bits = static_cast<int>(node.integer(1, kInt8));
  if (bits == kInt8 || std::ranges::find(kCodeBits, bits) != kCodeBits.end()) return bits;
  node.refuse(fmt::format("are {} bits", bits), "1, 2, 4 or 8");
}

IndexContents contents_in(const fs::path& folder) {
  const JsonNode root = JsonNode::read(folder / kContentsFile, kMostBytes);
  root.at("format").integer(kOldestIndexFormat, kIndexOfCodes);
  root.only({"format", "model", "dim", "codes", "hubs", "spaces", "split", "features", "encoders",
             "pictures", "images", "files", "digests", "graphs"});
  IndexContents contents;
  contents.model = root.at("model").string();
  contents.dim = static_cast<std::size_t>(root.at("dim").integer(1, 1 << 20));
  if (const auto codes = root.find("codes")) contents.codes = code_bits(*codes);
  if (const auto hubs = root.find("hubs")) contents.hubs = hubs->boolean();
  contents.spaces = root.at("spaces").strings();
  contents.split = root.at("split").string();
  contents.features = root.at("features").string();
  contents.encoders = names(root, "encoders");
  contents.pictures = path_from_text(root.at("pictures").string());
  contents.images = root.at("images").strings();
  contents.files = names(root, "files");
  for (std::string& file : contents.files) file = path_from_text(file);
  contents.digests = root.at("digests").strings();
  contents.graphs = root.at("graphs").strings();
  if (!contents.graphs.empty() && contents.codes != kInt8) {
    root.at("graphs").refuse("stand beside codes of fewer than 8 bits", "no graph");
  }
  if (!contents.graphs.empty() && contents.graphs.size() != contents.spaces.size()) {
    root.at("graphs").refuse(
        fmt::format("are {}", contents.graphs.size()),
        fmt::format("{}, one for each space, or none", contents.spaces.size()));
  }
  check_count(root, "files", contents.files.size(), contents.images.size());
  check_count(root, "digests", contents.digests.size(), contents.images.size());
  return contents;
}

// Of many names the parsed file took gigabytes, in pieces that free() keeps for later.
void give_memory_back([[maybe_unused]] std::size_t images) {
#ifdef __GLIBC__
  constexpr std::size_t kMany = 100'000;
  if (images >= kMany) ::malloc_trim(0);
#endif
}

}  // namespace

IndexContents read_index_contents(const fs::path& folder) {
  IndexContents contents = contents_in(folder);
  give_memory_back(contents.images.size());
  return contents;
}

}  // namespace hinny
