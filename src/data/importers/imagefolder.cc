#include "data/importers/imagefolder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
#include "data/importers/csv.h"
#include "data/importers/json_records.h"
#include "data/importers/names.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 6> kPictureKeys{"file_name", "filename", "image_name",
                                                       "image",     "file",     "path"};
constexpr std::array<std::string_view, 7> kTextKeys{"text",     "caption",   "captions",   "texts",
                                                    "sentence", "sentences", "description"};
constexpr std::array<std::string_view, 4> kOthers{"lang", "language", "split", "source"};

template <typename Keys>
bool one_of(std::string_view key, const Keys& keys) {
  return std::ranges::find(keys, key) != keys.end();
}

json parse_metadata(std::string_view text, const Place& place) {
  const auto wanted = [&](int depth, json::parse_event_t event, const json& parsed) {
    if (depth > kDeepestJson) throw nested_too_deeply(place);
    if (depth != 1 || event != json::parse_event_t::key) return true;
    const auto& key = parsed.get_ref<const std::string&>();
    return one_of(key, kPictureKeys) || one_of(key, kTextKeys) || one_of(key, kOthers);
  };
  try {
    json record = json::parse(text, wanted);
    if (record.is_object()) return record;
  } catch (const json::exception&) {
  }
  throw InputError(place.text() + ": not a JSON object", R"({"file_name":...,"text":...})");
}

// A caption, or a list of them, or of objects that hold one.
void add_texts(const json& value, const Place& place, CaptionRow& row) {
  if (value.is_string()) {
    row.texts.push_back({value.get<std::string>(), ""});
  } else if (value.is_array()) {
    for (const json& item : value) add_texts(item, place, row);
  } else if (value.is_object()) {
    for (const char* key : {"raw", "text", "caption", "sentence"}) {
      if (value.contains(key)) return add_texts(value[key], place, row);
    }
  } else if (!value.is_null()) {
    throw InputError(place.text() + ": a caption that is no text", "a string, or a list of them");
  }
}

CaptionRow row_of(const json& record, const Place& place) {
  CaptionRow row;
  for (const std::string_view key : kPictureKeys) {
    if (!row.picture.empty() || !record.contains(key)) continue;
    row.picture = id_field(record, std::string(key).c_str(), place);
  }
  if (row.picture.empty()) {
    throw InputError(place.text() + ": no \"file_name\"", "the picture's path from this file");
  }
  for (const std::string_view key : kTextKeys) {
    if (record.contains(key)) add_texts(record[std::string(key)], place, row);
  }
  std::string language;
  for (const char* key : {"lang", "language"}) {
    if (language.empty()) language = text_field_or(record, key, "", place);
  }
  for (CaptionRow::Text& text : row.texts) text.language = language;
  row.split = text_field_or(record, "split", "", place);
  row.source = text_field_or(record, "source", "", place);
  return row;
}

bool holds_objects(const fs::path& file) {
  bool objects = false, seen = false;
  for_each_line(file, [&](std::string_view line, std::size_t) {
    if (seen || trimmed(line).empty()) return;
    seen = true;
    objects = trimmed(line).starts_with('{');
  });
  return objects;
}

// One metadata file, and where its pictures are.
struct Metadata {
  fs::path file;
  std::string folder;  // from the source: "train/", or ""
  std::string split;   // as the folder says, or ""
};

std::optional<fs::path> metadata_in(const fs::path& folder) {
  for (const char* name : {"metadata.jsonl", "metadata.csv"}) {
    if (fs::is_regular_file(folder / name)) return folder / name;
  }
  return {};
}

// The split that a folder is called by, or "".
std::string split_of(const fs::path& folder) {
  const std::string split = split_called(folder.filename().string());
  return split == "train" || split == "val" || split == "test" ? split : "";
}

std::vector<Metadata> metadata_of(const fs::path& source) {
  if (!fs::is_directory(source)) {
    return {{source, "", split_of(fs::absolute(source).parent_path())}};
  }
  if (const auto file = metadata_in(source)) return {{*file, "", split_of(fs::absolute(source))}};
  std::vector<fs::path> folders;
  for (const auto& entry : entries_in(source)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::vector<Metadata> found;
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    if (const auto file = metadata_in(folder))
      found.push_back({*file, name + "/", split_of(folder)});
  }
  if (found.empty()) {
    throw InputError(source, "no metadata.jsonl or metadata.csv",
                     "one in the folder, or in each of its folders");
  }
  return found;
}

void for_each_row(const Metadata& metadata, ImportWriter* writer, bool whole_split,
                  const std::function<void(CaptionRow& row, const Place& place)>& use) {
  const auto placed = [&](CaptionRow& row, const Place& place) {
    if (!row.picture.empty()) row.picture = metadata.folder + row.picture;
    if (row.split.empty() && whole_split) row.split = metadata.split;
    use(row, place);
  };
  if (!holds_objects(metadata.file)) return for_each_csv_row(metadata.file, writer, placed);
  for_each_line(metadata.file, [&](std::string_view line, std::size_t number) {
    if (trimmed(line).empty()) return;
    const Place place{metadata.file, number};
    CaptionRow row = row_of(parse_metadata(line, place), place);
    placed(row, place);
  });
}

}  // namespace

void import_imagefolder(const fs::path& source, const RowOptions& options, ImportWriter& writer) {
  const std::vector<Metadata> files = metadata_of(source);
  // Of a single file the folder decides only where nobody says otherwise.
  const bool by_folder = files.size() > 1 || !options.shares;
  CaptionRows rows(options, writer);
  for (const Metadata& metadata : files) {
    for_each_row(metadata, nullptr, by_folder,
                 [&](const CaptionRow& row, const Place& place) { rows.see(row, place); });
  }
  rows.write_images();
  for (const Metadata& metadata : files) {
    for_each_row(metadata, &writer, by_folder,
                 [&](const CaptionRow& row, const Place& place) { rows.add(row, place); });
  }
}

}  // namespace hinny
