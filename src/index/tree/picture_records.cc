#include "index/tree/picture_records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/atomic_file.h"
#include "base/checksums.h"
#include "base/coordinates.h"
#include "base/day.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/path_text.h"
#include "data/json_fields.h"
#include "film/film_stream.h"
#include "index/tree/film_frames.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr std::array<std::pair<TakenFrom, const char*>, 5> kFrom = {{{TakenFrom::exif, "exif"},
                                                                     {TakenFrom::xmp, "xmp"},
                                                                     {TakenFrom::name, "name"},
                                                                     {TakenFrom::film, "film"},
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

[[noreturn]] void refuse(const JsonFields& line, std::string_view what) {
  line.fail(what, "pictures.jsonl as `hinny index --pictures` wrote it");
}

FileTime time_in(JsonFields& line, std::size_t key) {
  if (line.is_integer(key)) return time_of(line.integer(key));
  const std::string& text = line.required(key);
  const auto time = time_of(text);
  if (!time) refuse(line, fmt::format("a time '{}'", text));
  return *time;
}

std::optional<Taken> taken_in(JsonFields& line, std::size_t at, std::size_t from) {
  const std::string &text = line.optional(at), &source = line.optional(from);
  if (text.empty()) return std::nullopt;
  const auto period = parse_period(text);
  if (!period) refuse(line, fmt::format("taken '{}'", text));
  if (source.empty()) return Taken{period->begin, TakenFrom::exif};  // as earlier versions wrote it
  for (const auto& [kind, name] : kFrom) {
    if (source == name) return Taken{period->begin, kind};
  }
  refuse(line, fmt::format("taken_from '{}'", source));
}

std::optional<Coordinates> place_in(JsonFields& line, std::size_t key) {
  const std::string& text = line.optional(key);
  if (text.empty()) return std::nullopt;
  const auto place = parse_coordinates(text);
  if (!place) refuse(line, fmt::format("place '{}'", text));
  return place;
}

std::int64_t side_in(JsonFields& line, std::size_t key) {
  if (!line.has(key)) return 0;
  const std::int64_t side = line.integer(key);
  if (side < 1) refuse(line, fmt::format("a side of {} pixels", side));
  return side;
}

std::optional<int> film_frames_in(JsonFields& line, std::size_t key) {
  if (!line.has(key)) return std::nullopt;
  const std::int64_t frames = line.integer(key);
  if (frames < 0 || frames > film::kMostFrames) refuse(line, fmt::format("film_frames {}", frames));
  return static_cast<int>(frames);
}

std::vector<std::int64_t> frames_in(JsonFields& line, std::size_t key) {
  const std::string& text = line.optional(key);
  auto moments = parse_moments(text);
  if (!moments) refuse(line, fmt::format("frames '{}'", text));
  return std::move(*moments);
}

// Its names, parted by tabs, which no name has (gazetteer.h).
std::string names_text(const Town& town) {
  return town.also.empty() ? town.name
                           : fmt::format("{}\t{}", town.name, fmt::join(town.also, "\t"));
}

Town town_in(std::string_view names) {
  Town town;
  const auto take = [&] {
    const std::size_t end = std::min(names.find('\t'), names.size());
    std::string name(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
    return name;
  };
  town.name = take();
  while (!names.empty()) town.also.push_back(take());
  return town;
}

PictureRecord record_in(JsonFields& line) {
  enum : std::size_t {
    kFile,
    kSize,
    kModified,
    kContent,
    kTaken,
    kTakenFrom,
    kBroken,
    kLeft,
    kPlace,
    kCamera,
    kLens,
    kExposure,
    kWidth,
    kHeight,
    kFrames,
    kTown,
    kMoves,
    kRaw
  };
  if (!line.has(kContent)) refuse(line, "missing key 'content'");  // it may be empty
  const std::int64_t size = line.integer(kSize);
  if (size < 0) refuse(line, fmt::format("a size of {}", size));
  std::vector<std::string> raw;
  for (const std::string& name : line.strings(kRaw)) raw.push_back(path_from_text(name));
  return {path_from_text(line.required(kFile)),
          static_cast<std::uint64_t>(size),
          time_in(line, kModified),
          line.optional(kContent),
          {taken_in(line, kTaken, kTakenFrom), place_in(line, kPlace), line.optional(kCamera),
           line.optional(kLens), line.optional(kExposure), side_in(line, kWidth),
           side_in(line, kHeight), line.has(kMoves) && line.integer(kMoves) != 0},
          line.optional(kBroken),
          line.optional(kLeft),
          std::move(raw),
          frames_in(line, kFrames),
          line.optional(kTown)};
}

}  // namespace

std::size_t PictureRecord::image_count() const {
  if (!broken.empty()) return 0;
  return frames.empty() ? 1 : frames.size();
}

std::vector<PictureRecord::Image> PictureRecord::images() const {
  if (!broken.empty()) return {};
  const std::string id = path_text(file);
  if (frames.empty()) return {{id, content}};
  std::vector<Image> all;
  for (const std::int64_t at : frames) {
    all.push_back({frame_id(id, at), frame_content(content, at)});
  }
  return all;
}

const char* name_of(TakenFrom from) {
  return std::ranges::find(kFrom, from, &decltype(kFrom)::value_type::first)->second;
}

Taken taken_of(const PictureRecord& record) {
  if (record.facts.taken) return *record.facts.taken;
  return {local_time(record.modified.seconds), TakenFrom::file};
}

std::optional<PictureRecords> read_picture_records(const fs::path& index) {
  std::vector<PictureRecord> files;
  auto records = read_picture_records(
      index, [&](PictureRecord&& record) { files.push_back(std::move(record)); });
  if (records) records->files = std::move(files);
  return records;
}

std::optional<PictureRecords> read_picture_records(
    const fs::path& index, const std::function<void(PictureRecord&&)>& use) {
  const fs::path path = index / kPictureRecordsFile;
  if (!fs::exists(path)) return std::nullopt;
  check_if_listed(index, kPictureRecordsFile);
  PictureRecords records;
  enum : std::size_t {
    kRoot,
    kModel,
    kReader,
    kFilmFrames,
    kTownFile,
    kTownHash,
    kExclude,
    kTowns
  };
  JsonFields first(path, {"root", "model", "reader", "film_frames", "town_file", "town_hash"},
                   {"exclude", "towns"});
  JsonFields line(
      path,
      {"file", "size", "modified", "content", "taken", "taken_from", "broken", "left", "place",
       "camera", "lens", "exposure", "width", "height", "frames", "town", "moves"},
      {"raw"});
  for_each_line(path, [&](std::string_view text, std::size_t number) {
    if (number > 1) {
      line.read(text, number);
      use(record_in(line));
      return;
    }
    first.read(text, number);
    records.root = path_from_text(first.required(kRoot));
    records.model = first.required(kModel);
    records.reader = first.optional(kReader);
    records.film_frames = film_frames_in(first, kFilmFrames);
    records.town_list = {path_from_text(first.optional(kTownFile)), first.optional(kTownHash)};
    for (const std::string& pattern : first.strings(kExclude)) {
      records.exclude.push_back(path_from_text(pattern));
    }
    for (const std::string& names : first.strings(kTowns)) records.towns.push_back(town_in(names));
  });
  if (records.root.empty()) throw InputError(path, "is empty", "a root in its first line");
  return records;
}

bool names_towns(const fs::path& index) {
  if (!fs::exists(index / kPictureRecordsFile)) return false;
  LineReader lines(index / kPictureRecordsFile);
  const auto first = lines.next();
  return first && first->find(R"("towns":[)") != std::string_view::npos;
}

void write_picture_records(const fs::path& index, const PictureRecords& records) {
  AtomicFile file(index / kPictureRecordsFile);
  const auto line = [&](const ordered_json& json) {
    file.write(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  };
  ordered_json first = {{"root", path_text(records.root.string())}, {"model", records.model}};
  if (!records.reader.empty()) first["reader"] = records.reader;
  if (records.film_frames) first["film_frames"] = *records.film_frames;
  for (const std::string& pattern : records.exclude) first["exclude"].push_back(path_text(pattern));
  if (!records.town_list.file.empty()) {
    first["town_file"] = path_text(records.town_list.file);
    first["town_hash"] = records.town_list.hash;
  }
  for (const Town& town : records.towns) first["towns"].push_back(names_text(town));
  line(first);
  for (const PictureRecord& record : records.files) {
    ordered_json json = {{"file", path_text(record.file)},
                         {"size", record.size},
                         {"modified", time_json(record.modified)},
                         {"content", record.content}};
    if (const auto& taken = record.facts.taken) {
      json["taken"] = time_text(taken->at);
      json["taken_from"] = name_of(taken->from);
    }
    if (record.facts.place) json["place"] = coordinates_text(*record.facts.place);
    if (!record.facts.camera.empty()) json["camera"] = record.facts.camera;
    if (!record.facts.lens.empty()) json["lens"] = record.facts.lens;
    if (!record.facts.exposure.empty()) json["exposure"] = record.facts.exposure;
    if (record.facts.width > 0) json["width"] = record.facts.width;
    if (record.facts.height > 0) json["height"] = record.facts.height;
    if (record.facts.moves) json["moves"] = 1;
    if (!record.frames.empty()) json["frames"] = moments_text(record.frames);
    if (!record.broken.empty()) json["broken"] = path_text(record.broken);
    if (!record.left.empty()) json["left"] = record.left;
    if (!record.town.empty()) json["town"] = record.town;
    for (const std::string& name : record.raw) json["raw"].push_back(path_text(name));
    line(json);
  }
  file.commit();
}

}  // namespace hinny
