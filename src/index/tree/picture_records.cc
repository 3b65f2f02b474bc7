#include "index/tree/picture_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/atomic_file.h"
#include "base/day.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/path_text.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr std::array<std::pair<TakenFrom, const char*>, 4> kFrom = {{{TakenFrom::exif, "exif"},
                                                                     {TakenFrom::xmp, "xmp"},
                                                                     {TakenFrom::name, "name"},
                                                                     {TakenFrom::file, "file"}}};

// Nanoseconds, as long as 64 bits hold them (1678 to 2262); else text: "SECONDS.NANOSECONDS".
ordered_json time_json(const FileTime& time) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kNanoseconds - 1;
  if (time.seconds < -kMost || time.seconds > kMost) {
    return fmt::format("{}.{:09}", time.seconds, time.nanoseconds);
  }
  return time.seconds * kNanoseconds + time.nanoseconds;
}

FileTime time_of(std::int64_t nanoseconds) {
  FileTime time{nanoseconds / kNanoseconds, nanoseconds % kNanoseconds};
  if (time.nanoseconds < 0) {
    --time.seconds;
    time.nanoseconds += kNanoseconds;
  }
  return time;
}

std::optional<FileTime> time_of(std::string_view text) {
  FileTime time;
  const char* const end = text.data() + text.size();
  const auto whole = std::from_chars(text.data(), end, time.seconds);
  if (whole.ec != std::errc() || whole.ptr == end || *whole.ptr != '.') return std::nullopt;
  const auto part = std::from_chars(whole.ptr + 1, end, time.nanoseconds);
  const bool good = part.ec == std::errc() && part.ptr == end && time.nanoseconds >= 0 &&
                    time.nanoseconds < kNanoseconds;
  return good ? std::optional(time) : std::nullopt;
}

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
  FileTime time(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_string()) return time_of(number<std::int64_t>(key));
    const auto time = time_of(found->get_ref<const std::string&>());
    if (!time) refuse(fmt::format("says {} '{}'", key, found->get<std::string>()));
    return *time;
  }
  std::optional<Taken> taken() const {
    const std::string at = text("taken", false), from = text("taken_from", false);
    if (at.empty()) return std::nullopt;
    const auto period = parse_period(at);
    if (!period) refuse(fmt::format("says taken '{}'", at));
    if (from.empty()) return Taken{period->begin, TakenFrom::exif};  // as earlier versions wrote it
    for (const auto& [kind, name] : kFrom) {
      if (from == name) return Taken{period->begin, kind};
    }
    refuse(fmt::format("says taken_from '{}'", from));
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> all;
    const auto found = json_.find(key);
    if (found == json_.end()) return all;
    if (!found->is_array()) refuse(fmt::format("has no list {}", key));
    for (const auto& one : *found) {
      if (!one.is_string()) refuse(fmt::format("has no texts in {}", key));
      all.push_back(path_from_text(one.get<std::string>()));
    }
    return all;
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

const char* name_of(TakenFrom from) {
  return std::ranges::find(kFrom, from, &decltype(kFrom)::value_type::first)->second;
}

std::vector<Taken> times_of(const PictureRecords& records) {
  std::vector<Taken> times;
  for (const PictureRecord& record : records.files) {
    if (!record.broken.empty()) continue;
    times.push_back(
        record.taken.value_or(Taken{wall_clock(record.modified.seconds), TakenFrom::file}));
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
      records.reader = line.text("reader", false);
      records.exclude = line.texts("exclude");
      return;
    }
    PictureRecord record{path_from_text(line.text("file")),
                         line.number<std::uint64_t>("size"),
                         line.time("modified"),
                         line.text("content"),
                         line.taken(),
                         line.text("broken", false),
                         line.text("left", false)};
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
  ordered_json first = {{"root", path_text(records.root.string())}, {"model", records.model}};
  if (!records.reader.empty()) first["reader"] = records.reader;
  for (const std::string& pattern : records.exclude) first["exclude"].push_back(path_text(pattern));
  line(first);
  for (const PictureRecord& record : records.files) {
    ordered_json json = {{"file", path_text(record.file)},
                         {"size", record.size},
                         {"modified", time_json(record.modified)},
                         {"content", record.content}};
    if (record.taken) {
      json["taken"] = time_text(record.taken->at);
      json["taken_from"] = name_of(record.taken->from);
    }
    if (!record.broken.empty()) json["broken"] = path_text(record.broken);
    if (!record.left.empty()) json["left"] = record.left;
    line(json);
  }
  file.commit();
}

}  // namespace hinny
