#include "data/importers/jsonl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/lines.h"
#include "data/importers/json_records.h"
#include "data/importers/names.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 6> kKeys{"image", "lang", "text", "source", "split", "file"};

json parse_line(std::string_view text, const Place& place) {
  const auto wrong = [&] {
    return InputError(place.text() + ": not a JSON object",
                      R"({"image":...,"lang":...,"text":...})");
  };
  // Values inside values are of no use here: they are dropped, so memory stays small.
  const auto keep = [&](int depth, json::parse_event_t event, const json&) {
    if (depth > kDeepestJson) throw nested_too_deeply(place);
    if (depth == 0 && event == json::parse_event_t::array_start) throw wrong();
    return depth <= 1;
  };
  try {
    json record = json::parse(text, keep);
    if (record.is_object()) return record;
  } catch (const json::exception&) {
  }
  throw wrong();
}

void for_each_object(const std::filesystem::path& file,
                     const std::function<void(const json&, const Place&)>& use) {
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    const Place place{file, number};
    if (!trimmed(line).empty()) use(parse_line(line, place), place);
  });
}

// An image may be named by its file alone.
std::string image_of(const json& record, const Place& place) {
  if (!record.contains("image") && !record.contains("file")) {
    for (const char* other : {"file_name", "filename", "image_name", "image_id", "path", "id"}) {
      if (!record.contains(other)) continue;
      throw InputError(fmt::format("{}: no \"image\" and no usable \"file\"; it has \"{}\"",
                                   place.text(), other),
                       "\"image\" or \"file\"; hinny import imagefolder reads \"file_name\"");
    }
  }
  return record.contains("image") ? id_field(record, "image", place)
                                  : text_field(record, "file", place);
}

// The images in the order of their first lines, with all that any of their lines says.
class ImageTable {
 public:
  void add(const json& record, const Place& place) {
    const std::string id = image_of(record, place);
    const auto [found, is_new] = positions_.try_emplace(id, images_.size());
    if (is_new) images_.push_back({{id, "", ""}, place.line});
    Image& image = images_[found->second].image;
    keep(image.split, "split", record, place);
    keep(image.file, "file", record, place);
  }

  void write(const std::filesystem::path& file, const JsonlOptions& options, ImportWriter& writer) {
    for (Row& row : images_) {
      Image& image = row.image;
      if (image.split.empty() && options.shares) {
        image.split = split_by_hash(image.id, *options.shares);
      }
      if (image.split.empty()) {
        throw InputError(file, row.line, fmt::format("image '{}' has no split", image.id),
                         "\"split\" on one of its lines, or --split-by 80/10/10");
      }
      writer.image(image, {file, row.line});
    }
  }

 private:
  struct Row {
    Image image;
    std::size_t line = 0;
  };
  static void keep(std::string& value, const char* key, const json& record, const Place& place) {
    const std::string given = text_field_or(record, key, "", place);
    if (given.empty() || given == value) return;
    if (!value.empty()) {
      throw InputError(fmt::format("{}: {} '{}'", place.text(), key, given),
                       fmt::format("'{}', as on an earlier line of this image", value));
    }
    value = given;
  }
  std::vector<Row> images_;
  std::unordered_map<std::string, std::size_t> positions_;
};

void read_caption(const json& record, const Place& place, const JsonlOptions& options,
                  ImportWriter& writer) {
  for (const auto& [key, value] : record.items()) {
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
      writer.skip("key that is not known",
                  fmt::format("{}: '{}'{}", place.text(), key, did_you_mean(key, kKeys)));
    }
  }
  // A line may describe an image alone; one with a language or a caption is meant as one.
  const bool said = record.contains("text") || record.contains("lang") ||
                    record.contains("caption") || record.contains("captions");
  if (!said) return;
  const std::string language = text_field_or(record, "lang", options.language, place);
  if (language.empty()) throw InputError(place.text() + ": no \"lang\"", "a language, or --lang");
  if (!record.contains("text")) {
    for (const char* other : {"caption", "captions", "sentence", "sentences", "comment", "raw"}) {
      if (!record.contains(other)) continue;
      throw InputError(
          fmt::format("{}: no usable \"text\"; it has \"{}\"", place.text(), other),
          "\"text\", one string; hinny import imagefolder reads \"caption\" and lists");
    }
  }
  const std::string text = text_field(record, "text", place);
  Source source = Source::human_original;
  if (record.contains("source")) {
    const std::string name = text_field(record, "source", place);
    if (const auto known = find_source(name)) {
      source = *known;
    } else {
      throw InputError(fmt::format("{}: source '{}'", place.text(), name),
                       "human-original, human-translation, ...: docs/formats/dataset.md");
    }
  }
  writer.caption(image_of(record, place), language, text, source, place);
}

}  // namespace

std::array<int, 3> parse_shares(const std::string& text) {
  constexpr int kMost = 1'000'000;
  std::array<int, 3> shares{};
  const char* at = text.data();
  const char* const end = at + text.size();
  bool good = true;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i > 0) good = good && at != end && *at++ == '/';
    const auto [next, problem] = std::from_chars(at, end, shares[i]);
    good = good && problem == std::errc() && shares[i] >= 0 && shares[i] <= kMost;
    at = next;
  }
  if (!good || at != end || shares[0] + shares[1] + shares[2] == 0) {
    throw InputError(fmt::format("--split-by {}", text), "train/val/test shares such as 80/10/10");
  }
  return shares;
}

std::string split_by_hash(const std::string& image_id, const std::array<int, 3>& shares) {
  const std::string digits = content_hash(std::string_view(image_id)).substr(0, 15);
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  const std::int64_t at = value % (shares[0] + shares[1] + shares[2]);
  if (at < shares[0]) return "train";
  return at < shares[0] + shares[1] ? "val" : "test";
}

void import_jsonl(const std::filesystem::path& file, const JsonlOptions& options,
                  ImportWriter& writer) {
  ImageTable images;
  for_each_object(file, [&](const json& record, const Place& place) { images.add(record, place); });
  images.write(file, options, writer);
  for_each_object(file, [&](const json& record, const Place& place) {
    read_caption(record, place, options, writer);
  });
}

}  // namespace hinny
