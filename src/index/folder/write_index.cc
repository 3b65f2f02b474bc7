#include "index/folder/write_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "base/atomic_file.h"
#include "base/atomic_folder.h"
#include "base/checksums.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "base/path_text.h"
#include "base/progress.h"
#include "base/safetensors.h"
#include "base/terminal_text.h"
#include "index/folder/away.h"
#include "index/folder/optional_parts.h"
#include "index/tree/film_frames.h"
#include "index/vectors/code_file.h"
#include "index/vectors/graph.h"
#include "index/vectors/graph_growth.h"
#include "index/vectors/int8_rows.h"
#include "tensors/weights.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBlockImages = 512;

void check_finite(const IndexContents& contents, std::size_t first, std::span<const float> block) {
  const auto bad = std::ranges::find_if(block, [](float x) { return !std::isfinite(x); });
  if (bad == block.end()) return;
  const std::size_t image = first + static_cast<std::size_t>(bad - block.begin()) / contents.dim;
  throw InputError(
      fmt::format("image '{}' gets a vector that is not finite", contents.images[image]),
      "a model that was trained well");
}

// [n, dim] -> [n, dim + 1], each row with its penalty behind it.
std::vector<float> with_penalties(std::span<const float> block, std::size_t dim,
                                  const std::vector<float>& penalties) {
  std::vector<float> rows;
  rows.reserve(block.size() + penalties.size());
  for (std::size_t i = 0; i < penalties.size(); ++i) {
    const auto vector = block.subspan(i * dim, dim);
    rows.insert(rows.end(), vector.begin(), vector.end());
    rows.push_back(penalties[i]);
  }
  return rows;
}

// The int8 rows of a scan, as they come, then their scales.
class Int8Writer {
 public:
  Int8Writer(const fs::path& file, std::int64_t rows, std::size_t columns)
      : file_(file, {{kScanRows, TensorType::int8, {rows, static_cast<std::int64_t>(columns)}},
                     {scale_name(kScanRows), TensorType::float32, {rows}}}),
        bytes_(columns) {}
  void append(std::span<const float> vector) {
    scales_.push_back(to_int8(vector, bytes_));
    file_.append(std::as_bytes(std::span(bytes_)));
  }
  void commit() {
    file_.append(std::as_bytes(std::span(scales_)));
    file_.commit();
  }

 private:
  SafetensorsWriter file_;
  std::vector<std::int8_t> bytes_;
  std::vector<float> scales_;
};

// Codes follow when all vectors are there: their centre depends on all.
void write_vectors(const IndexContents& contents, const VectorsOf& vectors,
                   const PenaltiesOf& penalties, const fs::path& folder) {
  const std::size_t size = contents.dim + (contents.hubs ? 1 : 0);
  const std::size_t images = contents.images.size();
  const auto rows = static_cast<std::int64_t>(contents.spaces.size() * images);
  NpyWriter full(folder / kVectorsFile, {static_cast<std::int64_t>(size)}, NpyType::float32);
  std::optional<Int8Writer> scan;
  if (contents.codes == kInt8) scan.emplace(folder / kScanFile, rows, size);
  Progress progress("images", contents.spaces.size() * images);
  std::vector<float> block;
  std::size_t empty = 0;
  for (const std::string& space : contents.spaces) {
    for (std::size_t first = 0; first < images; first += kBlockImages) {
      stop_if_interrupted();
      block.resize(std::min(kBlockImages, images - first) * contents.dim);
      vectors(space, first, block);
      check_finite(contents, first, block);
      if (contents.hubs)
        block = with_penalties(block, contents.dim, penalties(space, first, block));
      for (std::size_t i = 0; i < block.size(); i += size) {
        const auto vector = std::span(block).subspan(i, size);
        full.append(vector);
        empty += std::ranges::all_of(vector.first(contents.dim), [](float n) { return n == 0; });
        if (scan) scan->append(vector);
      }
      progress.add(block.size() / size);
    }
  }
  full.commit();
  if (scan) {
    scan->commit();
  } else {
    const NpyArray written = NpyArray::open(folder / kVectorsFile);
    write_codes(folder / kScanFile, written.in_place(), size, contents.spaces.size(),
                contents.codes, contents.hubs);
  }
  if (empty == 0) return;
  print_line(stderr,
             "warning: {} of {} vectors of images have length 0: no sentence finds these images\n",
             empty, rows);
}

// Unit vectors and shares: float16 is enough.
void write_regions(std::size_t images, const RegionRows& regions, const fs::path& folder) {
  NpyWriter file(folder / regions.file, regions.row, NpyType::float16);
  const auto row = static_cast<std::size_t>(std::accumulate(regions.row.begin(), regions.row.end(),
                                                            std::int64_t{1}, std::multiplies<>()));
  Progress progress("regions", images);
  std::vector<float> block;
  for (std::size_t first = 0; first < images; first += kBlockImages) {
    stop_if_interrupted();
    const std::size_t count = std::min(kBlockImages, images - first);
    block.resize(count * row);
    regions.fill(first, block);
    for (std::size_t i = 0; i < count; ++i) file.append(std::span(block).subspan(i * row, row));
    progress.add(count);
  }
  file.commit();
}

bool has_films(const IndexContents& contents) {
  for (std::size_t i = 0; i < contents.images.size(); ++i) {
    if (frame_moment(contents.images[i], contents.files[i])) return true;
  }
  return false;
}

void write_contents(const IndexContents& contents, const fs::path& folder) {
  write_names(folder, contents.images, contents.files, contents.digests);
  nlohmann::ordered_json json = {
      {"format", kIndexFormat},        {"model", contents.model},
      {"dim", contents.dim},           {"spaces", contents.spaces},
      {"split", contents.split},       {"features", contents.features},
      {"encoders", contents.encoders}, {"pictures", path_text(contents.pictures.string())},
      {"films", has_films(contents)},  {"graphs", contents.graphs}};
  if (contents.codes != kInt8) json["codes"] = contents.codes;
  if (contents.hubs) json["hubs"] = true;
  write_file(folder / kContentsFile, fmt::format("{}\n", json.dump(1)));
}

// Goes on from the graph that `before` has of a space. Says false where it has none, or one that is
// not worth it or damaged.
bool grow_graph_of(const Index& before, std::size_t space, const Matrix& rows,
                   const fs::path& file) {
  const std::vector<std::string>& hashes = before.contents().graphs;
  if (space >= hashes.size()) return false;
  try {
    return grow_graph(before.folder() / graph_file(space), hashes[space],
                      before.scan(before.contents().spaces[space]).rows, rows, file);
  } catch (const InputError& error) {
    print_line(stderr, "warning: {}; nothing of it is taken over\n", error.what());
    return false;
  }
}

// As grow_graph_of, of a graph without numbers.
bool grow_links_of(const Index& before, std::size_t space, std::span<const float> vectors,
                   const Matrix& rows, const fs::path& file) {
  const std::vector<std::string>& hashes = before.contents().graphs;
  if (space >= hashes.size()) return false;
  const std::span<const float> earlier = before.vectors(before.contents().spaces[space]).numbers;
  if (earlier.size() != before.size() * rows.columns) return false;
  try {
    return grow_links(before.folder() / graph_file(space), hashes[space], earlier, vectors, rows,
                      file);
  } catch (const InputError& error) {
    print_line(stderr, "warning: {}; nothing of it is taken over\n", error.what());
    return false;
  }
}

// One per space; returns their hashes. None where one that is to be made anew is not worth it.
std::vector<std::string> write_graphs(const IndexContents& contents, const Index* before,
                                      const fs::path& folder) {
  const std::size_t images = contents.images.size(), worth = worth_graph(contents.codes);
  const bool codes = contents.codes != kInt8;
  const bool grow = before != nullptr && (before->contents().codes != kInt8) == codes &&
                    !before->contents().graphs.empty();
  if (!grow && images < worth) return {};
  if (codes && images > kMostInt8) {
    print_line(stderr, "no graph: to link more than {} pictures takes hours; questions scan\n",
               kMostInt8);
    return {};
  }
  const Weights scan(folder / kScanFile);
  const NpyArray file_of_vectors = NpyArray::open(folder / kVectorsFile);
  std::vector<std::string> hashes;
  for (std::size_t space = 0; space < contents.spaces.size(); ++space) {
    const auto columns = static_cast<std::size_t>(file_of_vectors.row_size());
    const auto vectors =
        file_of_vectors.in_place().subspan(space * images * columns, images * columns);
    std::optional<Int8Rows> held;
    if (codes) held.emplace(vectors, columns);
    const Matrix rows =
        codes ? held->matrix() : scan.matrix(kScanRows).part(space * images, images);
    const fs::path file = folder / graph_file(space);
    const bool grown = grow && (codes ? grow_links_of(*before, space, vectors, rows, file)
                                      : grow_graph_of(*before, space, rows, file));
    if (!grown) {
      if (images < worth) {
        std::error_code ignored;
        while (space-- > 0) fs::remove(folder / graph_file(space), ignored);
        return {};
      }
      Graph::build(rows, file, codes ? GraphNumbers::left_out : GraphNumbers::kept);
    }
    hashes.push_back(content_hash(file));
  }
  return hashes;
}

// Hard links cost nothing; a copy where there are none.
void link_or_copy(const fs::path& from, const fs::path& to) {
  if (fs::is_directory(from)) {
    create_folder(to);
    for (const auto& item : entries_in(from)) {
      link_or_copy(item.path(), to / item.path().filename());
    }
    return;
  }
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (error) copy_whole_file(from, to);
}

}  // namespace

void write_index(IndexContents contents, const VectorsOf& vectors, const PenaltiesOf& penalties,
                 const RegionRows& regions, Graphs graphs, const fs::path& folder,
                 const Index* before) {
  contents.hubs = penalties != nullptr;
  write_vectors(contents, vectors, penalties, folder);
  if (!regions.file.empty()) write_regions(contents.images.size(), regions, folder);
  contents.graphs.clear();
  if (graphs == Graphs::where_worth) contents.graphs = write_graphs(contents, before, folder);
  write_contents(contents, folder);
}

void commit_index(AtomicFolder& target, const fs::path& before) {
  for (const fs::path& inside : {fs::path(kRerankerFolder), fs::path(kAwayFolder)}) {
    if (!fs::exists(target.path() / inside / kContentsFile)) continue;
    write_checksums(target.path() / inside, before.empty() ? before : before / inside);
  }
  write_checksums(target.path(), before);
  target.commit();
}

void take_over(const fs::path& from, const fs::path& to) {
  for (const auto& item : entries_in(from)) {
    const fs::path name = item.path().filename();
    if (!depends_on_images(name)) link_or_copy(item.path(), to / name);
  }
}

void take_over_but(const fs::path& left, const fs::path& from, const fs::path& to) {
  for (const auto& item : entries_in(from)) {
    const fs::path name = item.path().filename();
    if (name == kContentsFile) {
      copy_whole_file(item.path(), to / name);
    } else if (name != left && name != kChecksumsFile) {
      link_or_copy(item.path(), to / name);
    }
  }
}

std::map<std::string, std::string> image_independent_files(const fs::path& index) {
  std::map<std::string, std::string> hashes;
  for (const auto& item : fs::recursive_directory_iterator(index)) {
    const fs::path name = item.path().lexically_relative(index);
    if (!item.is_regular_file() || depends_on_images(*name.begin())) continue;
    hashes[name.string()] = content_hash(item.path());
  }
  return hashes;
}

Graphs graphs_of(const Index& index) {
  const bool without =
      index.size() >= worth_graph(index.contents().codes) && index.contents().graphs.empty();
  return without ? Graphs::none : Graphs::where_worth;
}

}  // namespace hinny
