#include "index/build_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "base/progress.h"
#include "encoder/export_model.h"
#include "encoder/image_encoder.h"
#include "index/picture_encoders.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBlockImages = 512;

void check_features(const Model& model, const Features& features) {
  const auto describe = [](const auto& parts) {
    std::vector<std::string> texts;
    texts.reserve(parts.size());
    for (const auto& part : parts) texts.push_back(fmt::format("{} of {}", part.name, part.dim));
    return fmt::format("{}", fmt::join(texts, " + "));
  };
  const auto& wanted = model.config().features.parts;
  const auto& given = features.parts();
  const bool same = std::equal(
      wanted.begin(), wanted.end(), given.begin(), given.end(),
      [](const auto& a, const auto& b) { return static_cast<std::int64_t>(a.dim) == b.dim; });
  if (!same) {
    throw InputError(fmt::format("features of other sizes: {}", describe(given)),
                     fmt::format("as the model was trained on: {}", describe(wanted)));
  }
}

void write_vectors(const Model& model, const Dataset& dataset, const Features& features,
                   const std::vector<int>& images, const fs::path& path) {
  const ImageEncoder encoder(model);
  const std::size_t dim = model.config().dim;
  NpyWriter writer(path, {static_cast<std::int64_t>(dim)}, NpyType::float32);
  Progress progress("images", model.config().image.size() * images.size());
  std::vector<float> rows;
  for (const auto& item : model.config().image) {
    for (std::size_t first = 0; first < images.size(); first += kBlockImages) {
      stop_if_interrupted();
      const std::size_t count = std::min(kBlockImages, images.size() - first);
      const auto block = std::span(images).subspan(first, count);
      rows.resize(count * static_cast<std::size_t>(features.dim()));
      features.gather(block, rows);
      const std::vector<float> vectors = encoder.encode(rows, item.first);
      for (std::size_t i = 0; i < count; ++i) {
        const auto vector = std::span(vectors).subspan(i * dim, dim);
        if (!std::ranges::all_of(vector, [](float number) { return std::isfinite(number); })) {
          const Image& image = dataset.images()[static_cast<std::size_t>(block[i])];
          throw InputError(model.folder(),
                           fmt::format("image '{}' gets a vector that is not finite", image.id),
                           "a model that was trained well");
        }
        writer.append(vector);
      }
      progress.add(count);
    }
  }
  writer.commit();
}

void write_contents(const Model& model, const Dataset& dataset, const Features& features,
                    const IndexInput& input, const fs::path& folder) {
  nlohmann::ordered_json json = {
      {"format", 1},
      {"model", model_hash(folder / "encoder")},
      {"dim", model.config().dim},
      {"spaces", nlohmann::json::array()},
      {"split", input.split},
      {"features", features.names()},
      {"encoders", keep_picture_encoders(features, input.networks, folder)},
      {"pictures", ""},
      {"images", nlohmann::json::array()},
      {"files", nlohmann::json::array()}};
  for (const auto& item : model.config().image) json["spaces"].push_back(item.first);
  for (const int position : input.images) {
    const Image& image = dataset.images()[static_cast<std::size_t>(position)];
    json["images"].push_back(image.id);
    json["files"].push_back(image.file);
    if (!image.file.empty()) json["pictures"] = "here";
  }
  if (json["pictures"] == "here") {
    json["pictures"] = fs::weakly_canonical(dataset.folder() / "images").string();
  }
  write_file(folder / "index.json", json.dump(1) + "\n");
}

}  // namespace

void build_index(const Model& whole, const Dataset& dataset, const Features& features,
                 const IndexInput& input, const fs::path& folder) {
  check_features(whole, features);
  if (input.images.empty()) throw InputError("no image to index", "one or more with features");
  AtomicFolder target(folder);
  create_folder(target.path() / "encoder");
  export_model(whole, input.weights, target.path() / "encoder");
  const Model model = Model::open(target.path() / "encoder");
  write_vectors(model, dataset, features, input.images, target.path() / "vectors.npy");
  write_contents(model, dataset, features, input, target.path());
  target.commit();
}

}  // namespace hinny
