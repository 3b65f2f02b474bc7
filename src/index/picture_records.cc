#include "index/picture_records.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/day.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::ordered_json;

// A line's members: strings and whole numbers of these names, and no other.
class Line {
 public:
  Line(const fs::path& path, std::string_view text, std::size_t number)
      : path_(path), number_(number), json_(ordered_json::parse(text, nullptr, false)) {
    if (!json_.is_object()) refuse("is no JSON object");
  }

  std::string text(const char* key, bool needed = true) const {
    const auto found = json_.find(key);
    if (found == json_.end() && !needed) return "";
    if (found == json_.end() || !found->is_string()) refuse(std::string("lacks a text ") + key);
    return found->get<std::string>();
  }
  template <typename Number>
  Number number(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_number_integer()) {
      refuse(std::string("lacks a number ") + key);
    }
    return found->get<Number>();
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(path_, number_, what, "pictures.jsonl as `hinny index --pictures` wrote it");
  }

 private:
  const fs::path& path_;
  std::size_t number_;
  ordered_json json_;
};

}  // namespace

std::vector<std::int64_t> times_of(const PictureRecords& records) {
  std::vector<std::int64_t> times;
  for (const PictureRecord& record : records.files) {
    if (!record.broken.empty()) continue;
    times.push_back(record.taken ? *record.taken : wall_clock(record.modified));
  }
  return times;
}

std::optional<PictureRecords> read_picture_records(const fs::path& index) {
  const fs::path path = index / kPictureRecordsFile;
  if (!fs::exists(path)) return std::nullopt;
  PictureRecords records;
  for_each_line(path, [&](std::string_view text, std::size_t number) {
    const Line line(path, text, number);
    if (number == 1) {
      records.root = path_from_text(line.text("root"));
      records.model = line.text("model");
      return;
    }
    PictureRecord record{path_from_text(line.text("file")),
                         line.number<std::uint64_t>("size"),
                         line.number<std::int64_t>("modified"),
                         line.text("content"),
                         std::nullopt,
                         line.text("broken", false)};
    if (const std::string taken = line.text("taken", false); !taken.empty()) {
      const auto period = parse_period(taken);
      if (!period) line.refuse(fmt::format("says taken '{}'", taken));
      record.taken = period->begin;
    }
    if (record.file.empty()) line.refuse("names no file");
    records.files.push_back(std::move(record));
  });
  if (records.root.empty()) throw InputError(path, "is empty", "a root in its first line");
  return records;
}

void write_picture_records(const fs::path& index, const PictureRecords& records) {
  AtomicFile file(index / kPictureRecordsFile);
  const auto line = [&](const ordered_json& json) {
    file.write(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  };
  line({{"root", path_text(records.root.string())}, {"model", records.model}});
  for (const PictureRecord& record : records.files) {
    ordered_json json = {{"file", path_text(record.file)},
                         {"size", record.size},
                         {"modified", record.modified},
                         {"content", record.content}};
    if (record.taken) json["taken"] = time_text(*record.taken);
    if (!record.broken.empty()) json["broken"] = path_text(record.broken);
    line(json);
  }
  file.commit();
}

}  // namespace hinny
