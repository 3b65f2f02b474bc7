#include "data/importers/precomp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
#include "data/importers/names.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

struct PrecompSplit {
  std::string file;  // as its files begin
  std::string name;
};

std::vector<PrecompSplit> precomp_splits_in(const fs::path& folder, ImportWriter& writer) {
  std::vector<PrecompSplit> splits;
  const std::array known = {PrecompSplit{"train", "train"}, PrecompSplit{"dev", "val"},
                            PrecompSplit{"testall", "test"}, PrecompSplit{"test", "test"}};
  for (const auto& [file, name] : known) {
    const fs::path captions = folder / (file + "_caps.txt");
    if (!fs::is_regular_file(captions)) continue;
    if (!splits.empty() && splits.back().name == name) {
      writer.skip("part of testall", captions.string());
    } else {
      splits.push_back({file, name});
    }
  }
  if (splits.empty()) throw InputError(folder, "no *_caps.txt", "train_caps.txt and so on");
  std::vector<fs::path> others;
  for (const auto& entry : entries_in(folder)) {
    const std::string name = entry.path().filename().string();
    const bool ours = std::ranges::any_of(known, [&](const PrecompSplit& split) {
      return name == split.file + "_caps.txt" || name == split.file + "_ids.txt" ||
             name == split.file + "_ims.npy";
    });
    if (!ours) others.push_back(entry.path());
  }
  std::ranges::sort(others);
  for (const fs::path& other : others) writer.leave_alone(other);
  return splits;
}

std::size_t count_lines(const fs::path& path) {
  std::size_t lines = 0;
  for_each_line(path, [&](std::string_view, std::size_t number) { lines = number; });
  return lines;
}

// How many images a split has: one for every N captions.
std::size_t count_images(const fs::path& captions, std::size_t per_image) {
  const std::size_t lines = count_lines(captions);
  if (lines == 0 || lines % per_image != 0) {
    throw InputError(captions, fmt::format("{} lines", lines),
                     fmt::format("a multiple of {} (--captions-per-image)", per_image));
  }
  return lines / per_image;
}

// One id a line, for each image or for each caption; the first of each image's counts.
std::vector<std::string> read_ids(const fs::path& path, std::size_t images, std::size_t per_image) {
  std::vector<std::string> ids;
  for_each_line(path, [&](std::string_view line, std::size_t number) {
    ids.emplace_back(trimmed_id(line));
    if (ids.back().empty()) throw InputError(path, number, "an empty line", "an image's id");
  });
  if (ids.size() == images) return ids;
  if (ids.size() != images * per_image) {
    throw InputError(path, fmt::format("{} lines", ids.size()),
                     fmt::format("{} images or {} captions", images, images * per_image));
  }
  for (std::size_t i = 0; i < images; ++i) ids[i] = ids[i * per_image];
  ids.resize(images);
  return ids;
}

std::vector<std::string> numbered(const std::string& split, std::size_t images) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < images; ++i) ids.push_back(fmt::format("{}-{}", split, i));
  return ids;
}

std::string name_of(const std::string& id, const ImageNames& names, const Place& place) {
  const auto name = names.find(id);
  if (name != names.end()) return name->second;
  throw InputError(fmt::format("{}: no name of image '{}'", place.text(), id),
                   "a number that --names has");
}

void read_split(const fs::path& folder, const PrecompSplit& split, const PrecompOptions& options,
                ImportWriter& writer, FeatureImport& features) {
  const auto file = [&](const char* ending) { return folder / (split.file + ending); };
  const fs::path captions = file("_caps.txt");
  const auto per_image = static_cast<std::size_t>(options.captions_per_image);
  const std::size_t images = count_images(captions, per_image);

  const fs::path list = file("_ids.txt");
  const bool listed = options.use_ids && fs::exists(list);
  if (options.names && !listed) {
    throw InputError(list, "no such file", "the images' numbers, which --names has");
  }
  auto ids = listed ? read_ids(list, images, per_image) : numbered(split.name, images);
  const Place place{listed ? list : captions};
  for (std::string& id : ids) {
    const std::string file_name = options.names ? name_of(id, *options.names, place) : "";
    if (options.names) id = image_id_of_file(file_name);
    if (writer.has(id)) {
      throw InputError(list, fmt::format("image '{}' is there twice", id),
                       "each image once, or --no-ids");
    }
    writer.image({id, split.name, file_name}, place);
  }
  for_each_line(captions, [&](std::string_view text, std::size_t line) {
    writer.caption(ids[(line - 1) / per_image], options.language, text, Source::human_original,
                   {captions, line});
  });

  // VSE++ repeats an image's row for each of its captions in some splits.
  const fs::path npy = file("_ims.npy");
  const bool repeated = NpyArray::open(npy).rows() == static_cast<std::int64_t>(images * per_image);
  features.add(npy, ids, repeated ? options.captions_per_image : 1);
}

}  // namespace

void import_precomp(const fs::path& folder, const PrecompOptions& options, ImportWriter& writer) {
  if (options.captions_per_image < 1) throw InputError("--captions-per-image below 1", "1 or more");
  FeatureImport features(options.features, writer);
  for (const PrecompSplit& split : precomp_splits_in(folder, writer)) {
    read_split(folder, split, options, writer, features);
  }
  features.commit();
}

}  // namespace hinny
