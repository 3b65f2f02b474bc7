#include "index/folder/index.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_map>

#include "base/path_text.h"
#include "base/request_error.h"
#include "base/utf8.h"
#include "data/encoder_sidecar.h"
#include "index/bundle/bundle_record.h"
#include "index/folder/read_contents.h"
#include "index/tree/film_frames.h"
#include "index/tree/picture_records.h"
#include "retrieval/vector_rows.h"
#include "text/characters.h"
#include "text/name_forms.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostByGraph = 2000;  // for more hits, one scan costs less
constexpr const char* kRemembered = "encoder/hubs.safetensors";
constexpr int kMostTries = 100;  // of a folder that is replaced again and again

// The folder that stood under a name when this was made. Held open, its number in the file system
// goes to no other folder, even when it is replaced and removed.
class HeldFolder {
 public:
  explicit HeldFolder(const fs::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  ~HeldFolder() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  bool still_there() const {
    struct stat then {};
    struct stat now {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &then) != 0) return !fs::exists(path_);
    return ::stat(path_.c_str(), &now) == 0 && now.st_dev == then.st_dev &&
           now.st_ino == then.st_ino;
  }

 private:
  fs::path path_;
  int descriptor_;
};

void check_shape(const fs::path& file, const std::vector<std::int64_t>& shape,
                 const std::vector<std::int64_t>& wanted, bool right_type, const char* type) {
  if (shape == wanted && right_type) return;
  throw InputError(file, fmt::format("shape [{}]", fmt::join(shape, ", ")),
                   fmt::format("{} [{}]", type, fmt::join(wanted, ", ")));
}

std::shared_ptr<const Checksums> checksums_of(const fs::path& folder) {
  if (!fs::exists(folder / kChecksumsFile)) return nullptr;
  return std::make_shared<const Checksums>(folder);
}

}  // namespace

std::string graph_file(std::size_t space) { return fmt::format("graph-{}.hnsw", space); }

Index Index::open(const fs::path& folder, Method method) {
  for (int tries = 1;; ++tries) {
    const HeldFolder held(folder);
    try {
      Index index = open_once(folder, method);
      if (held.still_there() || tries == kMostTries) return index;
    } catch (const InputError&) {
      if (held.still_there() || tries == kMostTries) throw;
    }
  }
}

Index Index::open_once(const fs::path& folder, Method method) {
  if (!fs::exists(folder / kContentsFile)) {
    throw InputError(folder, fs::exists(folder) ? "holds no index" : "no such folder",
                     "a folder that `hinny index` wrote");
  }
  const auto checksums = checksums_of(folder);
  if (checksums) checksums->check(kContentsFile);
  StoredContents stored = read_index_contents(folder, checksums);
  Index index(folder, std::move(stored.contents));
  if (stored.order) index.order_->get([&] { return std::move(*stored.order); });
  index.checksums_ = checksums;
  index.check();
  index.open_scan();
  index.open_checked();
  index.open_regions();
  index.open_reranker();
  const auto& hashes = index.contents_.graphs;
  for (std::size_t space = 0; method == Method::graph && space < hashes.size(); ++space) {
    index.graphs_.push_back(
        Graph::open(folder / graph_file(space), hashes[space], index.scan_of(space)));
  }
  return index;
}

Index::Index(fs::path folder, IndexContents contents)
    : folder_(std::move(folder)),
      contents_(std::move(contents)),
      order_(std::make_shared<const Lazy<NameOrder>>()),
      decomposed_(std::make_shared<const Lazy<std::unordered_map<std::string, std::size_t>>>()),
      hubs_(std::make_shared<const Lazy<std::optional<HubBank>>>()),
      known_(std::make_shared<const Lazy<std::optional<KnownPictures>>>()),
      facts_(std::make_shared<const Lazy<FolderFacts>>()),
      folders_(std::make_shared<const Lazy<std::set<std::string>>>()),
      films_(std::make_shared<const Lazy<Films>>()),
      model_(Model::open(folder_ / "encoder")),
      vectors_(NpyArray::open(folder_ / kVectorsFile)) {}

void Index::check() const {
  model_.check_searchable();
  if (model_hash(model_.folder()) != contents_.model) {
    throw InputError(folder_, "its encoder/ is not the model that made its vectors",
                     "an index as `hinny index` wrote it");
  }
  std::vector<std::string> spaces;
  for (const auto& item : model_.config().image) spaces.push_back(item.first);
  if (spaces != contents_.spaces || model_.config().dim != contents_.dim) {
    throw InputError(folder_ / kContentsFile, "spaces or dim are not the model's",
                     fmt::format("{} and {}", fmt::join(spaces, ", "), model_.config().dim));
  }
  const auto rows = static_cast<std::int64_t>(contents_.spaces.size() * size());
  const std::vector<std::int64_t> shape = {rows, static_cast<std::int64_t>(columns())};
  check_shape(folder_ / kVectorsFile, vectors_.shape(), shape,
              !vectors_.in_place().empty() || rows == 0, "float32");
}

void Index::open_scan() {
  const fs::path file = folder_ / kScanFile;
  const std::size_t spaces = contents_.spaces.size();
  if (contents_.codes != kInt8) {
    codes_.emplace(file, size(), columns(), spaces, contents_.codes, contents_.hubs);
    return;
  }
  int8_.emplace(file);
  const TensorView& numbers = int8_->file().at(kScanRows);
  check_shape(file, numbers.shape, vectors_.shape(), numbers.type == TensorType::int8, "int8");
  int8_->check(kScanRows, {spaces * size(), columns()});
}

void Index::check_file(const std::string& file) const {
  if (checksums_) checksums_->check(file);
}

void Index::check_below(const std::string& folder) const {
  if (checksums_) checksums_->check_below(folder);
}

// What stands before their numbers has been read by now.
void Index::open_checked() {
  if (!checksums_) return;
  const auto head = [](const CheckedFile& file, std::span<const std::byte> bytes) {
    file.check(bytes.first(std::min(bytes.size(), kChecksumBlock)));
  };
  checked_.vectors = checksums_->checked(kVectorsFile, vectors_.file_bytes());
  head(*checked_.vectors, vectors_.file_bytes());
  const auto scan = (codes_ ? codes_->file() : int8_->file()).file_bytes();
  checked_.scan = checksums_->checked(kScanFile, scan);
  head(*checked_.scan, scan);
}

void Index::open_regions() {
  if (regions() < 2) return;
  const auto open = [&](const char* name, std::vector<std::int64_t> shape) {
    NpyArray array = NpyArray::open(folder_ / name);
    shape.insert(shape.begin(), static_cast<std::int64_t>(size()));
    check_shape(folder_ / name, array.shape(), shape, true, "numbers");
    if (checksums_) checked_.regions = checksums_->checked(name, array.file_bytes());
    return array;
  };
  const auto each = static_cast<std::int64_t>(regions());
  if (model_.config().compares_pairs()) {
    regions_ = open(kRegionsFile, {each, static_cast<std::int64_t>(contents_.dim)});
  } else {
    attention_ = open(kAttentionFile, {each});
  }
}

std::vector<float> Index::regions_of(std::size_t image) const {
  std::vector<float> regions(region_numbers());
  read_regions(image, regions);
  return regions;
}

void Index::read_regions(std::size_t image, std::span<float> out) const {
  const auto row = static_cast<std::int64_t>(image);
  if (checked_.regions) checked_.regions->check(regions_->row_bytes(row));
  regions_->row(row, out);
}

void Index::open_reranker() {
  const fs::path folder = folder_ / kRerankerFolder;
  if (!fs::exists(folder / kContentsFile)) return;
  auto reranker = std::make_shared<const Index>(open_once(folder, Method::scan));
  if (!reranker->model().config().late || !(reranker->contents().images == contents_.images)) {
    throw InputError(folder, "is no re-ranking model of this index's pictures",
                     "regions of the same images, in their order");
  }
  reranker_ = std::move(reranker);
}

std::vector<float> Index::region_attention(std::size_t image) const {
  std::vector<float> row(regions());
  const auto place = static_cast<std::int64_t>(image);
  if (checked_.regions) checked_.regions->check(attention_->row_bytes(place));
  attention_->row(place, row);
  return row;
}

std::vector<std::string> Index::picture_encoders() const {
  check_below(kNetworksFolder);
  std::vector<std::string> encoders = contents_.encoders;
  for (std::string& encoder : encoders) {
    if (is_network_name(encoder)) encoder = (folder_ / encoder).string();
  }
  return encoders;
}

std::string_view Index::id(std::size_t image) const {
  const std::string_view id = contents_.images[image];
  if (is_utf8(id)) return id;
  throw InputError(folder_, fmt::format("image {} has an id that is no UTF-8", image),
                   "an index as `hinny index` wrote it");
}

std::string_view Index::file(std::size_t image) const {
  const std::string_view file = contents_.files[image];
  if (stays_inside(file)) return file;
  throw InputError(folder_, fmt::format("image {} is '{}'", image, path_text(file)),
                   "names inside their folder");
}

std::string Index::picture(std::size_t image) const {
  const std::string_view file = Index::file(image);
  const std::string& above = contents_.pictures.native();
  if (file.empty() || above.empty()) return std::string(file);
  const char* between = above.back() == '/' ? "" : "/";
  return fmt::format("{}{}{}", above, between, file);  // quicker than by fs::path
}

const FolderFacts& Index::folder_facts() const {
  return facts_->get([this] {
    FolderFacts none;
    none.root = contents_.pictures;
    return read_folder_facts(folder_, size()).value_or(std::move(none));
  });
}

fs::path Index::root() const { return folder_facts().root; }

const std::set<std::string>& Index::folders() const {
  return folders_->get([this] {
    std::set<std::string> folders;
    const fs::path root = Index::root();
    for (std::size_t i = 0; i < size(); ++i) {
      const std::string file = picture(i);
      if (file.empty()) continue;
      std::string folder = fs::path(file).parent_path().lexically_relative(root).string();
      for (; folder != "." && !folder.empty(); folder.resize(folder.rfind('/'))) {
        if (!folders.insert(path_text(folder)).second) break;
        if (folder.find('/') == std::string::npos) break;
      }
    }
    return folders;
  });
}

const Index::Films& Index::films() const {
  return films_->get([this] {
    Films films;
    std::unordered_map<std::string_view, std::uint32_t> numbers;  // by file
    for (std::size_t i = 0; contents_.films && i < size(); ++i) {
      const std::string_view file = contents_.files[i];
      if (!frame_moment(contents_.images[i], file)) continue;
      if (films.of.empty()) films.of.assign(size(), Films::kNone);
      const auto [film, is_new] = numbers.try_emplace(file, films.count);
      if (is_new) ++films.count;
      films.of[i] = film->second;
    }
    return films;
  });
}

bool Index::of_folder() const { return fs::exists(folder_ / kPictureRecordsFile); }

std::optional<std::size_t> Index::find_exactly(std::string_view id) const {
  const NameOrder& order = order_->get([this] { return NameOrder(contents_.images); });
  return order.find(contents_.images, id);
}

std::optional<std::size_t> Index::find(std::string_view id) const {
  const auto exactly = find_exactly(id);
  if (exactly || is_ascii(id)) return exactly;
  const std::string wanted = composed(id);
  if (const auto other = find_exactly(wanted)) return other;
  const auto& decomposed = decomposed_->get([this] {
    std::unordered_map<std::string, std::size_t> all;
    for (std::size_t i = 0; i < size(); ++i) {
      const std::string_view name = contents_.images[i];
      if (is_ascii(name)) continue;
      if (std::string other = composed(name); other != name) all.emplace(std::move(other), i);
    }
    return all;
  });
  const auto found = decomposed.find(wanted);
  if (found == decomposed.end()) return std::nullopt;
  return found->second;
}

Query Index::query(const EncodedText& text, const std::string& language) const {
  return {contents_.model, model_.text(language).space, text.vector, true, {}};
}

std::vector<Hit> Index::search(const Query& query, std::size_t k) const {
  return search(std::span(&query, 1), k).front();
}

// What the query is multiplied with each image's row by.
std::vector<float> Index::row_of(const Query& query) const {
  std::vector<float> row = query.vector;
  if (contents_.hubs) row.push_back(query.corrected ? 1.0F : 0.0F);
  return row;
}

std::vector<std::vector<Hit>> Index::search(std::span<const Query> queries, std::size_t k,
                                            const RowMask* among) const {
  std::vector<float> vectors;
  for (const Query& query : queries) {
    if (query.model != contents_.model) {
      throw RequestError("the query's vector is from another model than the index",
                         "one that the index's own encoder made");
    }
    if (query.vector.size() != contents_.dim || query.space != queries.front().space) {
      throw RequestError(
          fmt::format("a query of {} numbers for space '{}'", query.vector.size(), query.space),
          fmt::format("{} numbers for {}", contents_.dim, queries.front().space));
    }
    const std::vector<float> row = row_of(query);
    vectors.insert(vectors.end(), row.begin(), row.end());
  }
  if (queries.empty()) return {};
  const std::size_t space = space_of(queries.front().space);
  auto hits = nearest_rows(space, vectors, k, among);
  for (std::size_t i = 0; contents_.hubs && i < queries.size(); ++i) {
    if (queries[i].corrected) take_correction_off(hits[i], vectors_of(space));
  }
  return hits;
}

// By the graph of a space where it has one and that is likely to be quicker. A mask is laid over
// what the graph finds: of its `width` nearest as many must be left as a scan would look at in
// full, or else a scan of what the mask leaves is as quick, and surer.
std::vector<std::vector<Hit>> Index::nearest_rows(std::size_t space, std::span<const float> rows,
                                                  std::size_t k, const RowMask* among) const {
  const Scan scan = scan_of(space);
  const std::size_t wanted = candidates(k, scan.bits());
  const std::size_t left = among == nullptr ? size() : among->count();
  const std::size_t width = std::clamp(wanted, kGraphWidth, kMostByGraph);
  const bool by_graph = !graphs_.empty() && candidates(k) <= kMostByGraph && wanted < left;
  if (!by_graph || (among != nullptr && left * width < wanted * size())) {
    return top_hits(scan, vectors_of(space), rows, k, among, checked_.vectors.get());
  }
  std::vector<std::vector<Hit>> hits(rows.size() / columns());
  std::vector<std::size_t> not_enough;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const auto row = rows.subspan(i * columns(), columns());
    std::vector<std::size_t> found = graphs_[space].nearest(row, width);
    if (among != nullptr) std::erase_if(found, [&](std::size_t image) { return !(*among)[image]; });
    if (among != nullptr && found.size() < wanted) {
      not_enough.push_back(i);
    } else {
      hits[i] = best_found(scan, found, vectors_of(space), row, k, checked_.vectors.get());
    }
  }
  if (not_enough.empty()) return hits;
  std::vector<float> rest;
  for (const std::size_t i : not_enough) {
    const auto row = rows.subspan(i * columns(), columns());
    rest.insert(rest.end(), row.begin(), row.end());
  }
  auto more = top_hits(scan, vectors_of(space), rest, k, among, checked_.vectors.get());
  for (std::size_t i = 0; i < not_enough.size(); ++i) hits[not_enough[i]] = std::move(more[i]);
  return hits;
}

float Index::sentence_penalty(std::span<const float> vector, const std::string& space) const {
  // Of words and regions only pictures are known to be hubs.
  if (!contents_.hubs || model_.config().late) return 0;
  const std::optional<HubBank>& bank = hubs_->get([this] {
    check_file(kRemembered);
    return hubs_of(model_);
  });
  if (!bank) return 0;
  const VectorRows row{vector, 1, contents_.dim};
  return hub_penalties(*bank, bank->spaces.at(space).images, row).front();
}

std::optional<Fit> Index::fit(const Query& query) const {
  if (model_.config().fit) return model_.config().fit;
  if (model_.config().compares_pairs()) return std::nullopt;  // by words, which no bank tells
  const std::optional<KnownPictures>& known = known_->get([this]() -> std::optional<KnownPictures> {
    const fs::path file = model_.folder() / kHubsFile;
    if (!fs::exists(file)) return std::nullopt;
    check_file(kRemembered);
    return KnownPictures(file, model_.config().dim);
  });
  if (!known) return std::nullopt;
  return known->fit(query.space, query.vector);
}

float Index::penalty(std::size_t image, const std::string& space) const {
  return contents_.hubs ? vectors(space).row(image)[contents_.dim] : 0;
}

void Index::take_correction_off(std::span<Hit> hits, std::span<const float> vectors) const {
  for (Hit& hit : hits) hit.score -= vectors[hit.image * columns() + contents_.dim];
}

Scan Index::scan_of(std::size_t space) const {
  if (checked_.scan) checked_.scan->check_all();
  if (codes_) {
    std::call_once(*at_random_, [this] { vectors_.expect_random_reads(); });
    return codes_->scan(space);
  }
  return int8_->matrix(kScanRows).part(space * size(), size());
}

std::span<const float> Index::vectors_of(std::size_t space) const {
  const std::size_t numbers = size() * columns();
  return vectors_.in_place().subspan(space * numbers, numbers);
}

std::span<const float> Index::vector_view(std::size_t image, const std::string& space) const {
  if (image >= size()) {
    throw RequestError(fmt::format("image {} of an index of {}", image, size()),
                       "one that is there");
  }
  return {vectors(space).row(image), contents_.dim};
}

std::vector<float> Index::vector(std::size_t image, const std::string& space) const {
  const auto row = vector_view(image, space);
  return {row.begin(), row.end()};
}

std::size_t Index::space_of(const std::string& name) const {
  const auto found = std::ranges::find(contents_.spaces, name);
  if (found == contents_.spaces.end()) {
    throw RequestError(fmt::format("a query for space '{}'", name),
                       fmt::format("{}", fmt::join(contents_.spaces, " or ")));
  }
  return static_cast<std::size_t>(found - contents_.spaces.begin());
}

}  // namespace hinny
