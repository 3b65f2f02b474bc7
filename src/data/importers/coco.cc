#include "data/importers/coco.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "data/importers/json_records.h"

namespace hinny {
namespace {

using nlohmann::json;

std::string split_of(const CocoFile& file) {
  if (!file.split.empty()) return file.split;
  const std::string name = file.path.filename().string();
  for (const char* split : {"train", "val", "test"}) {
    if (name.find(split) != std::string::npos) return split;
  }
  throw InputError(file.path, "its name tells no split", "--split NAME, or --split-file FILE");
}

void read_images(const CocoFile& file, const CocoOptions& options, ImportWriter& writer) {
  const std::string split = options.splits ? "" : split_of(file);
  const auto use = [&](const std::string&, const json& record, const Place& place) {
    const std::string id = id_field(record, "id", place);
    writer.image({id, options.splits ? options.splits->split_of(id, file.split, place) : split,
                  text_field_or(record, "file_name", "", place)},
                 place);
  };
  for_each_record(file.path, {"images"}, use);
}

void read_captions(const CocoFile& file, const CocoOptions& options, ImportWriter& writer) {
  const char* key = options.tokenised ? "tokenized_caption" : "caption";
  const auto use = [&](const std::string&, const json& record, const Place& place) {
    const std::string image = id_field(record, "image_id", place);
    if (record.contains(key) && record[key].is_null()) {
      return writer.skip("empty caption", place.text());
    }
    if (!record.contains(key) && record.contains("bbox")) {
      throw InputError(place.text() + ": a box and no caption",
                       "COCO's captions_*.json, not instances_*.json");
    }
    writer.caption(image, file.language, text_field(record, key, place), Source::human_original,
                   place);
  };
  if (for_each_record(file.path, {"annotations"}, use).empty()) {
    throw InputError(file.path, "no \"annotations\"", "COCO captions");
  }
}

}  // namespace

void import_coco(const std::vector<CocoFile>& files, const CocoOptions& options,
                 ImportWriter& writer) {
  for (const CocoFile& file : files) read_images(file, options, writer);
  for (const CocoFile& file : files) read_captions(file, options, writer);
}

}  // namespace hinny
