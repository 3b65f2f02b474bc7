// The files of an index folder that depend on its images.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/folder/index.h"

namespace hinny {

class AtomicFolder;

// Fills in the vectors of the images first, first + 1, ... of the new index in a space, [n, dim].
using VectorsOf =
    std::function<void(const std::string& space, std::size_t first, std::span<float> out)>;

// Fills in what is stored of those images' regions, [n, row].
struct RegionRows {
  std::string file;  // kRegionsFile or kAttentionFile; "" when nothing is kept
  std::vector<std::int64_t> row;
  std::function<void(std::size_t first, std::span<float> out)> fill;
};

// From this many images on, a graph answers faster than the scan does: of int8 rows, and of codes,
// of which a scan reads less (docs/scale.md).
constexpr std::size_t kWorthGraph = 50'000;
constexpr std::size_t kWorthGraphOfCodes = 250'000;
constexpr std::size_t worth_graph(int codes) {
  return codes == kInt8 ? kWorthGraph : kWorthGraphOfCodes;
}

// Whether a collection that is large enough gets graphs.
enum class Graphs { where_worth, none };

// IndexContents::codes of a new index: what was asked for, or else kInt8 up to so many images, of
// which a machine can hold the int8 rows and the graph, and kLargeCodes beyond (docs/scale.md).
constexpr std::size_t kMostInt8 = 10'000'000;
constexpr int kLargeCodes = 4;
inline int codes_for(std::optional<int> asked, std::size_t images) {
  return asked.value_or(images > kMostInt8 ? kLargeCodes : kInt8);
}

// A number to follow each of the vectors of the images first, first + 1, ...
// (IndexContents::hubs).
using PenaltiesOf = std::function<std::vector<float>(const std::string& space, std::size_t first,
                                                     std::span<const float> vectors)>;

// Writes index.json, names.safetensors, vectors.npy and scan.safetensors into `folder`, and graphs
// where they are worth it: when there are worth_graph() images or more, of codes no more than
// kMostInt8. `before`, where it is given, is an index of whose images most are there again: its
// graphs grow (grow_graph), as long as that is worth it. Throws InputError when a vector is not
// finite. Shows progress. Memory stays at a block of vectors and a few bytes per image; a graph
// takes as much as its file while it is made.
void write_index(IndexContents contents, const VectorsOf& vectors, const PenaltiesOf& penalties,
                 const RegionRows& regions, Graphs graphs, const std::filesystem::path& folder,
                 const Index* before = nullptr);

// Ends the making of an index: writes its checksums and those of the indexes inside (look/, away/),
// and gives it its name. `before`: the index whose files it took over, if it did.
void commit_index(AtomicFolder& target, const std::filesystem::path& before = {});

// Makes `to` hold the files of the index `from` that do not depend on its images. Hard links where
// the file system has them.
void take_over(const std::filesystem::path& from, const std::filesystem::path& to);
// All files of it but one. A Collection that watches the index notices that it is another.
void take_over_but(const std::filesystem::path& left, const std::filesystem::path& from,
                   const std::filesystem::path& to);

// The hashes of those files, by their names inside the index.
std::map<std::string, std::string> image_independent_files(const std::filesystem::path& index);

// As an index was made, so are its later versions.
Graphs graphs_of(const Index& index);

}  // namespace hinny
