// What an index of a folder of pictures knows of its files: docs/formats/index.md, pictures.jsonl.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hinny {

constexpr const char* kPictureRecordsFile = "pictures.jsonl";

struct PictureRecord {
  std::string file;  // below the root: any bytes; its text (base/path_text.h) is the image's id
  std::uint64_t size = 0;     // bytes, when its content was read
  std::int64_t modified = 0;  // nanoseconds since 1970
  std::string content;        // hash of the file
  // Seconds of the camera's clock (vision/picture_time.h), where the file says so.
  std::optional<std::int64_t> taken;
  std::string broken;  // why it is no image of the index; empty: it is one
};

struct PictureRecords {
  std::filesystem::path root;  // absolute
  std::string model;           // hash of the model and networks that the pictures were read by
  // The index's images in their order, and among them files that could not be read.
  std::vector<PictureRecord> files;
};

// When each of the index's images was taken, in their order, or else when its file was changed:
// seconds of the clock on the wall.
std::vector<std::int64_t> times_of(const PictureRecords& records);

// nullopt where the index was not made from a folder. Throws InputError for a broken file.
std::optional<PictureRecords> read_picture_records(const std::filesystem::path& index);
void write_picture_records(const std::filesystem::path& index, const PictureRecords& records);

}  // namespace hinny
