#include "vision/feature_rows.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
#include "data/id_spelling.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

fs::path ids_file(const Dataset& dataset) { return dataset.folder() / "features" / kIdsFile; }

}  // namespace

bool has_picture(const Dataset& dataset, int image) {
  const std::string& file = dataset.images()[static_cast<std::size_t>(image)].file;
  return !file.empty() && fs::is_regular_file(dataset.folder() / "images" / file);
}

FeatureRows feature_rows(const Dataset& dataset, bool keep) {
  FeatureRows rows;
  const fs::path ids = ids_file(dataset);
  rows.fixed = keep && fs::exists(ids);
  if (!rows.fixed) {
    for (int i = 0; i < static_cast<int>(dataset.images().size()); ++i) rows.images.push_back(i);
    return rows;
  }
  std::unordered_set<int> seen;
  for_each_line(ids, [&](std::string_view id, std::size_t line) {
    const int image = dataset.find(std::string(id));
    if (image < 0) {
      IdSpellings known;
      for (const Image& other : dataset.images()) known.add(other.id);
      const std::string near = known.near(id);
      throw InputError(ids, line, fmt::format("the dataset has no image '{}'", id),
                       near.empty() ? "ids of images.jsonl"
                                    : fmt::format("ids of images.jsonl; it has {}", near));
    }
    if (!seen.insert(image).second) {
      throw InputError(ids, line, fmt::format("image '{}' is listed twice", id), "each id once");
    }
    rows.images.push_back(image);
  });
  std::size_t missing = 0;
  for (const int image : rows.images) missing += has_picture(dataset, image) ? 0 : 1;
  if (missing > 0) {
    throw InputError(ids,
                     fmt::format("{} of its {} images have no picture in {}", missing,
                                 rows.images.size(), (dataset.folder() / "images").string()),
                     "a picture for each row, or a folder without features/");
  }
  return rows;
}

fs::path picture_file(const Dataset& dataset, int image) {
  const std::string& file = dataset.images()[static_cast<std::size_t>(image)].file;
  if (file.empty()) throw InputError("images.jsonl names no file");
  return dataset.folder() / "images" / file;
}

bool other_features_exist(const fs::path& file) {
  for (const auto& entry : entries_in(file.parent_path())) {
    if (entry.path().extension() == ".npy" && entry.path() != file) return true;
  }
  return false;
}

void write_ids(const fs::path& path, const Dataset& dataset, const std::vector<int>& images) {
  AtomicFile file(path);
  for (const int image : images) {
    file.write(dataset.images()[static_cast<std::size_t>(image)].id + "\n");
  }
  file.commit();
}

}  // namespace hinny
