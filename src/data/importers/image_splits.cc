#include "data/importers/image_splits.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/lines.h"
#include "data/importers/caption_rows.h"
#include "data/importers/json_records.h"
#include "data/importers/names.h"
#include "data/importers/recognise.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr const char* kSplitLine = "an image, a blank, its split; or a line of images.jsonl";

json image_line(std::string_view line, const std::filesystem::path& file, std::size_t number) {
  json record = json::parse(line, nullptr, false);
  if (record.is_object()) return record;
  throw InputError(file, number, "broken JSON", R"({"image":"17","split":"train"})");
}

}  // namespace

void ImageSplits::add(const std::string& image, const std::string& split, const Place& place) {
  if (split.empty()) throw InputError(place.text() + ": an image without a split", kSplitLine);
  const bool file = names_a_file(image) || image.starts_with("COCO_");
  const std::string id = file ? image_id_of_file(image) : image;
  const auto [known, is_new] = splits_.try_emplace(id, Known{split_called(split), place.text()});
  if (is_new) return;
  throw InputError(fmt::format("{}: image '{}' for the second time", place.text(), image),
                   fmt::format("each image once; {} has it too", known->second.place));
}

ImageSplits ImageSplits::read(const std::filesystem::path& file) {
  ImageSplits splits;
  splits.file_ = file;
  if (import_format_of(file) == "karpathy") {
    for_each_record(file, {"images"}, [&](auto&, const json& record, const Place& place) {
      const bool coco = record.contains("cocoid");
      splits.add(coco ? id_field(record, "cocoid", place) : text_field(record, "filename", place),
                 text_field(record, "split", place), place);
    });
    return splits;
  }
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    const Place place{file, number};
    line = trimmed(line);
    if (line.empty()) return;
    if (line.starts_with('{')) {
      const json record = image_line(line, file, number);
      return splits.add(id_field(record, "image", place), text_field(record, "split", place),
                        place);
    }
    const std::size_t blank = line.find_last_of(" \t");
    if (blank == std::string_view::npos) {
      throw InputError(file, number, "one word", kSplitLine);
    }
    splits.add(std::string(trimmed(line.substr(0, blank))), std::string(line.substr(blank + 1)),
               place);
  });
  return splits;
}

std::optional<std::string> ImageSplits::find(const std::string& image_id) const {
  const auto found = splits_.find(image_id);
  if (found == splits_.end()) return {};
  return found->second.split;
}

std::string ImageSplits::split_of(const std::string& image_id, const std::string& otherwise,
                                  const Place& place) const {
  const auto split = find(image_id);
  if (split) return *split;
  if (!otherwise.empty()) return otherwise;
  throw InputError(
      fmt::format("{}: image '{}' is not in {}", place.text(), image_id, file_.string()),
      "its split there, or --split NAME for those that it lacks");
}

}  // namespace hinny
