#include "index/graph.h"

// To fetch ahead, hnswlib reads the number behind a full list of links: up to three bytes more than
// it asked malloc for, which malloc's rounding provides and AddressSanitizer reports.
#ifdef __SANITIZE_ADDRESS__
#define NO_MANUAL_VECTORIZATION
#endif
// hnswlib defines functions in its header: this file alone may include it.
#include <hnswlib/hnswlib.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "encoder/kernels.h"
#include "index/scan.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLinks = 16;        // per row and level; twice as many on the lowest
constexpr std::size_t kBuildWidth = 128;  // candidates while linking

// A row as the graph holds it: its numbers, its scale, and zeros so that what hnswlib puts behind
// it is aligned.
std::size_t row_bytes(std::size_t dim) { return (dim + 2 * sizeof(float) - 1) / 4 * 4; }

float scale_of(const void* row, std::size_t dim) {
  float scale = 0;
  std::memcpy(&scale, static_cast<const std::int8_t*>(row) + dim, sizeof scale);
  return scale;
}

// Smaller is nearer.
float distance(const void* a, const void* b, const void* dim_place) {
  const std::size_t dim = *static_cast<const std::size_t*>(dim_place);
  std::int32_t sum = 0;
  kernels().i8(static_cast<const std::int8_t*>(a), 1, dim, static_cast<const std::int8_t*>(b), 1,
               &sum);
  return -static_cast<float>(sum) * scale_of(a, dim) * scale_of(b, dim);
}

class Int8Space : public hnswlib::SpaceInterface<float> {
 public:
  explicit Int8Space(std::size_t dim) : dim_(dim) {}
  std::size_t get_data_size() override { return row_bytes(dim_); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return distance; }
  void* get_dist_func_param() override { return &dim_; }

 private:
  std::size_t dim_;
};

using Links = hnswlib::HierarchicalNSW<float>;

// Every link leads to a row, on every level.
bool links_are_sound(Links& links, std::size_t rows) {
  if (links.cur_element_count != rows || links.enterpoint_node_ >= rows) return false;
  if (links.maxlevel_ != links.element_levels_[links.enterpoint_node_]) return false;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto id = static_cast<hnswlib::tableint>(row);
    if (links.getExternalLabel(id) >= rows) return false;
    for (int level = 0; level <= links.element_levels_[row]; ++level) {
      auto* const list = links.get_linklist_at_level(id, level);
      const std::size_t count = links.getListCount(list);
      if (count > (level == 0 ? links.maxM0_ : links.maxM_)) return false;
      for (std::size_t i = 1; i <= count; ++i) {
        if (list[i] >= rows || links.element_levels_[list[i]] < level) return false;
      }
    }
  }
  return true;
}

constexpr std::size_t kLowestLinks =
    2 * kLinks * sizeof(hnswlib::tableint) + sizeof(hnswlib::linklistsizeint);
constexpr std::size_t kLevelLinks =
    kLinks * sizeof(hnswlib::tableint) + sizeof(hnswlib::linklistsizeint);
constexpr int kMostLevels = 64;

// How hnswlib's file begins; it is as our settings say, or hnswlib may not read it.
struct Header {
  std::uint64_t start, most_rows, rows, row_bytes, label_place, row_place;
  std::int32_t levels;
  std::uint32_t entry;
  std::uint64_t level_links, lowest_links, links;
  double level_factor;
  std::uint64_t build_width;

  bool operator==(const Header&) const = default;
};

// Sizes that follow from each other; then hnswlib reads inside the file and what it allocates.
bool sizes_are_sound(std::span<const std::byte> file, const Matrix& scan) {
  Header header{};
  if (file.size() < sizeof header) return false;
  std::memcpy(&header, file.data(), sizeof header);
  const std::size_t label_place = kLowestLinks + row_bytes(scan.columns);
  const std::size_t per_row = label_place + sizeof(hnswlib::labeltype);
  const Header wanted = {0,           scan.rows,    scan.rows,     per_row,
                         label_place, kLowestLinks, header.levels, header.entry,
                         kLinks,      2 * kLinks,   kLinks,        1 / std::log(1.0 * kLinks),
                         kBuildWidth};
  if (header != wanted || header.levels < 0 || header.levels >= kMostLevels) return false;
  std::size_t place = sizeof header + scan.rows * per_row;
  for (std::size_t row = 0; row < scan.rows; ++row) {
    std::uint32_t bytes = 0;
    if (file.size() < place + sizeof bytes) return false;
    std::memcpy(&bytes, file.data() + place, sizeof bytes);
    if (bytes % kLevelLinks != 0 || bytes / kLevelLinks >= kMostLevels) return false;
    place += sizeof bytes + bytes;
  }
  return place == file.size();
}

}  // namespace

struct Graph::State {
  std::size_t dim;
  Int8Space space;
  Links links;

  State(const Matrix& scan, std::size_t rows)
      : dim(scan.columns), space(dim), links(&space, rows, kLinks, kBuildWidth) {}
  State(const Matrix& scan, const std::string& file)
      : dim(scan.columns), space(dim), links(&space, file) {}

  // One of `scan`'s rows as the graph holds it.
  void pack(const Matrix& scan, std::size_t row, std::vector<std::byte>& out) const {
    std::memcpy(out.data(), scan.data + row * dim, dim);
    std::memcpy(out.data() + dim, &scan.scales[row], sizeof(float));
  }
};

Graph::Graph(std::unique_ptr<State> state) : state_(std::move(state)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph::~Graph() = default;

void Graph::build(const Matrix& scan, const fs::path& file) {
  State state(scan, scan.rows);
  std::vector<std::byte> row(row_bytes(state.dim));
  Progress progress("linking images", scan.rows);
  for (std::size_t i = 0; i < scan.rows; ++i) {
    stop_if_interrupted();
    state.pack(scan, i, row);
    state.links.addPoint(row.data(), i);
    progress.add(1);
  }
  state.links.saveIndex(file.string());
  std::uintmax_t least = scan.rows * (state.links.size_data_per_element_ + sizeof(unsigned));
  if (fs::file_size(file) < least) throw Failure("cannot write " + file.string());
}

Graph Graph::open(const fs::path& file, const std::string& hash, const Matrix& scan) {
  if (!fs::is_regular_file(file) || content_hash(file) != hash) {
    throw InputError(file, "is not the graph that belongs to this index", "an unaltered file");
  }
  if (sizes_are_sound(MappedFile(file).bytes(), scan)) {
    auto state = std::make_unique<State>(scan, file.string());
    if (links_are_sound(state->links, scan.rows)) return Graph(std::move(state));
  }
  throw InputError(file, "is no graph of the index's images", "one that `hinny index` wrote");
}

std::vector<std::size_t> Graph::nearest(std::span<const float> query, std::size_t count) const {
  std::vector<std::byte> row(row_bytes(state_->dim));
  auto* const numbers = reinterpret_cast<std::int8_t*>(row.data());
  const float scale = to_int8(query, std::span(numbers, state_->dim));
  std::memcpy(row.data() + state_->dim, &scale, sizeof scale);
  auto found = state_->links.searchKnn(row.data(), count);
  std::vector<std::size_t> rows;
  for (; !found.empty(); found.pop()) rows.push_back(found.top().second);
  return rows;
}

}  // namespace hinny
