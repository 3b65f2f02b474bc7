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

// Of an index whose names are in index.json.
void read_names_in(const JsonNode& root, IndexContents& contents) {
  contents.images = NameList(root.at("images").strings());
  for (const std::string& file : names(root, "files")) {
    contents.files.push_back(path_from_text(file));
  }
  contents.digests = NameList(root.at("digests").strings());
  check_count(root, "files", contents.files.size(), contents.images.size());
  check_count(root, "digests", contents.digests.size(), contents.images.size());
}

StoredContents contents_in(const fs::path& folder,
                           const std::shared_ptr<const Checksums>& checksums) {
  const JsonNode root = JsonNode::read(folder / kContentsFile, kMostBytes);
  const bool with_names =
      root.at("format").integer(kOldestIndexFormat, kIndexFormat) < kFormatWithNames;
  StoredContents stored;
  IndexContents& contents = stored.contents;
  if (with_names) {
    root.only({"format", "model", "dim", "codes", "hubs", "spaces", "split", "features", "encoders",
               "pictures", "images", "files", "digests", "graphs"});
    read_names_in(root, contents);
  } else {
    root.only({"format", "model", "dim", "codes", "hubs", "spaces", "split", "features", "encoders",
               "pictures", "films", "graphs"});
    contents.films = root.at("films").boolean();
    NameTable names = read_names(folder, checksums);
    contents.images = std::move(names.images);
    contents.files = std::move(names.files);
    contents.digests = std::move(names.digests);
    stored.order = std::move(names.order);
  }
  contents.model = root.at("model").string();
  contents.dim = static_cast<std::size_t>(root.at("dim").integer(1, 1 << 20));
  if (const auto codes = root.find("codes")) contents.codes = code_bits(*codes);
  if (const auto hubs = root.find("hubs")) contents.hubs = hubs->boolean();
  contents.spaces = root.at("spaces").strings();
  contents.split = root.at("split").string();
  contents.features = root.at("features").string();
  contents.encoders = names(root, "encoders");
  contents.pictures = path_from_text(root.at("pictures").string());
  contents.graphs = root.at("graphs").strings();
  if (!contents.graphs.empty() && contents.graphs.size() != contents.spaces.size()) {
    root.at("graphs").refuse(
        fmt::format("are {}", contents.graphs.size()),
        fmt::format("{}, one for each space, or none", contents.spaces.size()));
  }
  return stored;
}

// Of many names the parsed file took gigabytes, in pieces that free() keeps for later.
void give_memory_back([[maybe_unused]] std::size_t images) {
#ifdef __GLIBC__
  constexpr std::size_t kMany = 100'000;
  if (images >= kMany) ::malloc_trim(0);
#endif
}

}  // namespace

bool stays_inside(std::string_view file) {
  if (file.find("..") == std::string_view::npos) return !file.starts_with('/');  // most
  const fs::path path(file);
  return !path.is_absolute() && std::find(path.begin(), path.end(), "..") == path.end();
}

StoredContents read_index_contents(const fs::path& folder,
                                   const std::shared_ptr<const Checksums>& checksums) {
  StoredContents stored = contents_in(folder, checksums);
  if (!stored.order) give_memory_back(stored.contents.images.size());
  return stored;
}

}  // namespace hinny
