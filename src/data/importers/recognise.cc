#include "data/importers/recognise.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/error.h"
#include "base/folders.h"
#include "base/text_file.h"
#include "base/unpacked_file.h"
#include "data/importers/coco_cn.h"
#include "data/importers/csv.h"
#include "data/importers/flickr8k.h"
#include "data/importers/names.h"
#include "data/importers/tmx.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kStart = std::size_t{64} << 10U;

std::string first_bytes(const fs::path& file) {
  UnpackedFile unpacked(file);
  std::string start(kStart, '\0');
  std::size_t size = 0;
  while (const std::size_t count = unpacked.read(start.data() + size, start.size() - size)) {
    size += count;
  }
  start.resize(size);
  return start;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string format_of_json(std::string_view text) {
  if (text.starts_with('[')) return "array";
  const std::string_view line = text.substr(0, text.find('\n'));
  const bool lines = line.size() < text.size() && trimmed(line).ends_with('}');
  if (!lines && has(text, "\"images\"") && has(text, "\"sentences\"")) return "karpathy";
  if (!lines && (has(text, "\"annotations\"") || has(text, "\"image_id\""))) return "coco";
  if (has(line, "\"image/key\"")) return "crossmodal";
  if (has(line, "\"file_name\"") || has(line, "\"captions\"") || has(line, "\"caption\"")) {
    return "imagefolder";
  }
  const bool own = has(line, "\"image\"") || has(line, "\"file\"");
  return own && has(line, "\"text\"") ? "jsonl" : "";
}

std::string format_of_folder(const fs::path& folder) {
  for (const char* task : {"task1", "task2", "data/task1", "image_splits"}) {
    if (fs::is_directory(folder / task)) return "multi30k";
  }
  if (fs::exists(folder / "images.jsonl")) return "dataset";
  if (fs::exists(folder / "XTD10" / "test_image_names.txt")) return "xtd";
  for (const auto& entry : entries_in(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("_caps.txt")) return "precomp";
    if (name.ends_with(".ids")) return "mule";
    if (name == "metadata.jsonl" || name == "metadata.csv") return "imagefolder";
    if (name == "Flickr8k.token.txt") return "flickr8k";
    if (name == "test_image_names.txt") return "xtd";
    if (name == "captions.jsonl") return import_format_of(entry.path());
    if (name.starts_with("coco-cn_")) return "coco-cn";
    if (entry.is_directory() && (fs::exists(entry.path() / "metadata.jsonl") ||
                                 fs::exists(entry.path() / "metadata.csv"))) {
      return "imagefolder";
    }
  }
  return "";
}

}  // namespace

std::string import_format_of(const fs::path& source) {
  if (fs::is_directory(source)) return format_of_folder(source);
  if (!fs::is_regular_file(source)) return "";
  const std::string bytes = first_bytes(source);
  if (is_xml(bytes)) return has(bytes, "tmx") ? "parallel" : "";
  const std::string_view text = trimmed(without_mark(bytes, source));
  if (text.starts_with('{') || text.starts_with('[')) return format_of_json(text);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (is_coco_cn_line(line)) return "coco-cn";
  if (is_token_line(line)) return "flickr8k";
  return is_caption_header(line) ? "csv" : "";
}

std::string other_format_hint(const fs::path& source, const std::string& chosen) try {
  const std::string format = import_format_of(source);
  if (format.empty() || format == chosen) return "";
  if (format == "array") {
    return "; it is one JSON array, and not a line for each object: `jq -c '.[]' FILE` makes lines";
  }
  return fmt::format("; it looks like what `hinny import {}` reads", format);
} catch (const std::exception&) {  // of a file that cannot be read the importer has said so
  return "";
}

}  // namespace hinny
