#include "data/features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
#include "base/terminal_text.h"
#include "data/id_spelling.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> read_ids(const fs::path& path) {
  std::vector<std::string> ids;
  for_each_line(path, [&](std::string_view id, std::size_t line) {
    if (id.empty()) throw InputError(path, line, "empty line", "an image id");
    ids.emplace_back(id);
  });
  return ids;
}

// Row by id. `path` is for messages.
std::unordered_map<std::string_view, std::int64_t> rows_by_id(const fs::path& path,
                                                              const std::vector<std::string>& ids) {
  std::unordered_map<std::string_view, std::int64_t> rows;
  rows.reserve(ids.size());
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (!rows.emplace(ids[row], static_cast<std::int64_t>(row)).second) {
      throw InputError(path, row + 1, fmt::format("image '{}' for the second time", ids[row]),
                       "each image once, not once for each caption");
    }
  }
  return rows;
}

// `name`, or the one version of it that is there: "builtin" for builtin-1.npy.
std::string with_version(const std::string& name, const std::set<std::string>& known) {
  if (known.contains(name)) return name;
  std::vector<std::string> versions;
  for (const std::string& candidate : known) {
    const std::size_t dash = name.size();
    if (candidate.size() > dash + 1 && candidate.starts_with(name) && candidate[dash] == '-' &&
        candidate.find_first_not_of("0123456789", dash + 1) == std::string::npos) {
      versions.push_back(candidate);
    }
  }
  return versions.size() == 1 ? versions.front() : name;
}

// The names between the '+' signs; each must be a file of `folder`.
std::vector<std::string> split_names(const fs::path& folder, std::string_view text) {
  const std::set<std::string> known = names_of_files(folder, ".npy");
  if (known.empty()) {
    throw InputError(folder, "no features here", "files that `hinny features` makes");
  }
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string name = with_version(std::string(text.substr(begin, end - begin)), known);
    if (!known.contains(name)) {
      throw InputError(folder, fmt::format("no features '{}'{}", name, did_you_mean(name, known)),
                       fmt::format("one of {}", fmt::join(known, ", ")));
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw InputError(fmt::format("features '{}' named twice", name), "each once");
    }
    names.push_back(name);
    begin = end + 1;
  }
  return names;
}

NpyArray open_checked(const fs::path& path, const std::vector<std::string>& ids) {
  NpyArray array = NpyArray::open(path);
  if (static_cast<std::size_t>(array.rows()) != ids.size()) {
    throw InputError(path, fmt::format("{} rows", array.rows()),
                     fmt::format("{}, one for each line of ids.txt", ids.size()));
  }
  if (const std::int64_t row = array.first_bad_row(); row >= 0) {
    throw InputError(path,
                     fmt::format("NaN or infinity in row {} (image '{}')", row,
                                 ids[static_cast<std::size_t>(row)]),
                     "finite numbers");
  }
  return array;
}

// Of ids that were meant to be the images' and are spelt otherwise.
std::string hint_for(const std::vector<Image>& images, const std::vector<std::int64_t>& rows,
                     const std::vector<std::string>& ids) {
  const auto without = std::ranges::find(rows, -1) - rows.begin();
  if (without == std::ssize(rows) || ids.empty()) return "";
  IdSpellings spellings;
  for (const std::string& id : ids) spellings.add(id);
  const std::string& example = images[static_cast<std::size_t>(without)].id;
  if (const std::string near = spellings.near(example); !near.empty()) {
    return fmt::format("; images.jsonl has '{}', ids.txt {}", example, near);
  }
  const bool none = std::ranges::all_of(rows, [](std::int64_t row) { return row < 0; });
  return none ? fmt::format("; images.jsonl has '{}', ids.txt '{}'", example, ids.front()) : "";
}

}  // namespace

Features Features::open(const Dataset& dataset, const std::string& names) {
  const fs::path folder = dataset.folder() / "features";
  Features features;
  features.ids_path_ = folder / "ids.txt";
  const std::vector<std::string> part_names = split_names(folder, names);
  const std::vector<std::string> ids = read_ids(features.ids_path_);
  const auto rows = rows_by_id(features.ids_path_, ids);
  features.names_ = fmt::format("{}", fmt::join(part_names, "+"));

  for (const std::string& name : part_names) {
    features.arrays_.push_back(open_checked(folder / (name + ".npy"), ids));
    const NpyArray& array = features.arrays_.back();
    features.parts_.push_back(
        {name, array.row_size(), array.shape().size() == 3 ? array.shape()[1] : 1});
  }
  std::vector<std::int64_t> row_of_image;
  for (const Image& image : dataset.images()) {
    const auto found = rows.find(image.id);
    row_of_image.push_back(found == rows.end() ? -1 : found->second);
  }
  features.hint_ = hint_for(dataset.images(), row_of_image, ids);
  features.set_rows(dataset, std::move(row_of_image));
  return features;
}

Features Features::of_rows(const Dataset& dataset, const std::string& name, NpyArray rows,
                           std::vector<std::int64_t> row_of_image) {
  Features features;
  features.names_ = name;
  features.ids_path_ = dataset.folder() / "images.jsonl";
  features.parts_.push_back({name, rows.row_size(), 1});
  features.arrays_.push_back(std::move(rows));
  features.set_rows(dataset, std::move(row_of_image));
  return features;
}

Features Features::without_rows(const Dataset& dataset, const std::string& names,
                                std::vector<Part> parts) {
  Features features;
  features.names_ = names;
  features.ids_path_ = dataset.folder() / "images.jsonl";
  features.parts_ = std::move(parts);
  features.set_rows(dataset, std::vector<std::int64_t>(dataset.images().size(), -1));
  return features;
}

void Features::set_rows(const Dataset& dataset, std::vector<std::int64_t> row_of_image) {
  row_of_image_ = std::move(row_of_image);
  for (std::size_t i = 0; i < row_of_image_.size(); ++i) {
    if (row_of_image_[i] < 0) rowless_.emplace(static_cast<int>(i), dataset.images()[i].id);
  }
}

std::vector<int> usable_images(const Features& features, std::vector<int> images,
                               const std::string& split) {
  std::erase_if(images, [&](int image) { return !features.has(image); });
  if (images.empty()) {
    throw InputError(
        fmt::format("no image of split '{}' has features{}", split, features.hint()),
        features.hint().empty() ? "hinny features to have made them" : "the same ids in both");
  }
  return images;
}

void report_left_out(const Features& features, std::span<const int> images,
                     const std::string& split) {
  const auto without =
      std::ranges::count_if(images, [&](int image) { return !features.has(image); });
  if (without == 0) return;
  print_line(stderr, "{}: {} of {} images have no features and are left out{}\n", split, without,
             images.size(), features.hint());
}

std::vector<std::string> Features::part_names() const {
  std::vector<std::string> names;
  for (const Part& part : parts_) names.push_back(part.name);
  return names;
}

std::int64_t Features::dim() const {
  std::int64_t sum = 0;
  for (const Part& part : parts_) sum += part.dim;
  return sum;
}

std::int64_t Features::regions() const {
  if (parts_.empty()) return 1;
  const std::int64_t regions = parts_.front().regions;
  const bool alike =
      std::ranges::all_of(parts_, [&](const Part& p) { return p.regions == regions; });
  return alike ? regions : 1;
}

// One image's row [regions, dim / regions], each region with its numbers of every part.
void Features::gather_regions(std::int64_t row, std::span<float> out,
                              std::vector<float>& part) const {
  const auto each = static_cast<std::size_t>(regions());
  const std::size_t width = out.size() / each;
  std::size_t at = 0;
  for (const NpyArray& array : arrays_) {
    part.resize(static_cast<std::size_t>(array.row_size()));
    array.row(row, part);
    const std::size_t size = part.size() / each;
    for (std::size_t region = 0; region < each; ++region) {
      std::ranges::copy(std::span(part).subspan(region * size, size),
                        out.begin() + static_cast<std::ptrdiff_t>(region * width + at));
    }
    at += size;
  }
}

void Features::gather(std::span<const int> images, std::span<float> out) const {
  if (out.size() != images.size() * static_cast<std::size_t>(dim())) {
    throw std::invalid_argument("Features::gather: room of another size");
  }
  const bool joins_regions = arrays_.size() > 1 && regions() > 1;
  const auto whole = static_cast<std::size_t>(dim());
  std::vector<float> part;
  std::size_t at = 0;
  for (const int image : images) {
    if (!has(image)) {
      throw InputError(
          ids_path_, fmt::format("no features for image '{}'{}", rowless_.at(image), hint_),
          "a row for each image in use; `hinny features` leaves out unreadable pictures");
    }
    const std::int64_t row = row_of_image_[static_cast<std::size_t>(image)];
    if (joins_regions) {
      gather_regions(row, out.subspan(at, whole), part);
      at += whole;
      continue;
    }
    for (const NpyArray& array : arrays_) {
      const auto size = static_cast<std::size_t>(array.row_size());
      array.row(row, out.subspan(at, size));
      at += size;
    }
  }
}

}  // namespace hinny
