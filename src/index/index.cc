#include "index/index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "encoder/json_node.h"
#include "index/top_hits.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;  // some millions of images

// A name that stays inside the folder of pictures.
bool stays_inside(const fs::path& file) {
  return !file.is_absolute() && std::find(file.begin(), file.end(), "..") == file.end();
}

IndexContents read_contents(const fs::path& path) {
  const JsonNode root = JsonNode::read(path, kMostBytes);
  root.at("format").integer(1, 1);
  root.only({"format", "model", "dim", "spaces", "split", "features", "encoders", "pictures",
             "images", "files"});
  IndexContents contents;
  contents.model = root.at("model").string();
  contents.dim = static_cast<std::size_t>(root.at("dim").integer(1, 1 << 20));
  contents.spaces = root.at("spaces").strings();
  contents.split = root.at("split").string();
  contents.features = root.at("features").string();
  contents.encoders = root.at("encoders").strings();
  contents.pictures = root.at("pictures").string();
  contents.images = root.at("images").strings();
  contents.files = root.at("files").strings();
  if (contents.files.size() != contents.images.size()) {
    root.at("files").refuse(fmt::format("are {}", contents.files.size()),
                            fmt::format("{}, one for each image", contents.images.size()));
  }
  for (const char* key : {"files", "encoders"}) {
    for (const std::string& file : key[0] == 'f' ? contents.files : contents.encoders) {
      if (!stays_inside(file)) {
        root.at(key).refuse(fmt::format("hold '{}'", file), "names inside their folder");
      }
    }
  }
  return contents;
}

void check_model(const fs::path& folder, const Model& model, const IndexContents& contents) {
  if (model_hash(model.folder()) != contents.model) {
    throw InputError(folder, "its encoder/ is not the model that made its vectors",
                     "an index as `hinny index` wrote it");
  }
  std::vector<std::string> spaces;
  for (const auto& item : model.config().image) spaces.push_back(item.first);
  if (spaces != contents.spaces || model.config().dim != contents.dim) {
    throw InputError(folder / "index.json", "spaces or dim are not the model's",
                     fmt::format("{} and {}", fmt::join(spaces, ", "), model.config().dim));
  }
}

}  // namespace

Index Index::open(const fs::path& folder) {
  if (!fs::exists(folder / "index.json")) {
    throw InputError(folder, fs::exists(folder) ? "holds no index" : "no such folder",
                     "a folder that `hinny index` wrote");
  }
  IndexContents contents = read_contents(folder / "index.json");
  for (std::string& encoder : contents.encoders) {
    if (encoder.ends_with(".onnx")) encoder = (folder / encoder).string();
  }
  Model model = Model::open(folder / "encoder");
  check_model(folder, model, contents);
  NpyArray vectors = NpyArray::open(folder / "vectors.npy");
  const std::vector<std::int64_t> shape = {
      static_cast<std::int64_t>(contents.spaces.size() * contents.images.size()),
      static_cast<std::int64_t>(contents.dim)};
  if (vectors.shape() != shape || (vectors.in_place().empty() && vectors.rows() > 0)) {
    throw InputError(folder / "vectors.npy",
                     fmt::format("shape [{}]", fmt::join(vectors.shape(), ", ")),
                     fmt::format("float32 [{}]", fmt::join(shape, ", ")));
  }
  return Index(std::move(model), std::move(contents), std::move(vectors));
}

Index::Index(Model model, IndexContents contents, NpyArray vectors)
    : model_(std::move(model)), contents_(std::move(contents)), vectors_(std::move(vectors)) {}

std::string Index::picture(std::size_t image) const {
  const std::string& file = contents_.files.at(image);
  return file.empty() ? file : (contents_.pictures / file).string();
}

Query Index::query(const EncodedText& text, const std::string& language) const {
  return {contents_.model, model_.text(language).space, text.vector};
}

std::vector<Hit> Index::search(const Query& query, std::size_t k) const {
  if (query.model != contents_.model) {
    throw InputError("the query's vector is from another model than the index",
                     "one that the index's own encoder made");
  }
  if (query.vector.size() != contents_.dim) {
    throw InputError(fmt::format("a query of {} numbers", query.vector.size()),
                     fmt::format("{} numbers", contents_.dim));
  }
  const std::size_t numbers = size() * contents_.dim;
  const auto part = vectors_.in_place().subspan(first_row(query.space) * contents_.dim, numbers);
  return top_hits(part, query.vector, k);
}

std::vector<float> Index::vector(std::size_t image, const std::string& space) const {
  if (image >= size()) {
    throw InputError(fmt::format("image {} of an index of {}", image, size()), "one that is there");
  }
  const auto row =
      vectors_.in_place().subspan((first_row(space) + image) * contents_.dim, contents_.dim);
  return {row.begin(), row.end()};
}

std::size_t Index::first_row(const std::string& space) const {
  const auto found = std::ranges::find(contents_.spaces, space);
  if (found == contents_.spaces.end()) {
    throw InputError(fmt::format("a query for space '{}'", space),
                     fmt::format("{}", fmt::join(contents_.spaces, " or ")));
  }
  return static_cast<std::size_t>(found - contents_.spaces.begin()) * size();
}

}  // namespace hinny
