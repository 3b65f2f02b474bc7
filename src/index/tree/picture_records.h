// What an index of a folder of pictures knows of its files: docs/formats/index.md, pictures.jsonl.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/tree/gazetteer.h"
#include "index/tree/picture_tree.h"
#include "vision/picture_facts.h"

namespace hinny {

constexpr const char* kPictureRecordsFile = "pictures.jsonl";

struct PictureRecord {
  std::string file;  // below the root: any bytes; its text (base/path_text.h) is the image's id
  std::uint64_t size = 0;  // bytes, when its content was read
  FileTime modified{};
  std::string content;  // hash of the file
  PictureFacts facts;   // what the file or its name says
  std::string broken;   // why it is no image of the index; empty: it is one
  // Of pictures whose folder is away (away.h): the day that this was seen.
  std::string left{};
  std::vector<std::string> raw{};  // names of raw files beside it (raw_pairs.h)
  // Of a film, or of a picture that moves: the moments of its frames, each of which is an image of
  // the index, in milliseconds.
  std::vector<std::int64_t> frames{};
  std::string town{};  // the name of where it was taken, one of PictureRecords::towns

  // The images that it is in an index, in their order: a picture one, a film one for each frame;
  // what is broken none. `content` identifies the image as the record's does the file.
  struct Image {
    std::string id;
    std::string content;
  };
  std::vector<Image> images() const;
  std::size_t image_count() const;
};

struct PictureRecords {
  std::filesystem::path root;  // absolute
  std::string model;           // hash of the model and networks that the pictures were read by
  // The index's images in their order, and among them files that could not be read.
  std::vector<PictureRecord> files;
  // What read them (PictureReader); another one tries again what was broken or not dated.
  std::string reader{};
  std::vector<std::string> exclude{};  // patterns (ignore_rules.h)
  // Of each film at most, 0: films are not read; nullopt: made by a version that read none.
  std::optional<int> film_frames{};
  // What names places (gazetteer.h): its file, absolute, and the hash of that; empty: nothing does.
  struct TownList {
    std::string file, hash;
    bool operator==(const TownList&) const = default;
  };
  TownList town_list{};
  std::vector<Town> towns{};  // of the files, by name
};

// When it was taken, or else when its file was changed: seconds of local time; and what says so.
// Frames have the time of their film.
Taken taken_of(const PictureRecord& record);

// "exif", "xmp", "name", "film", "file"
const char* name_of(TakenFrom from);

// nullopt where the index was not made from a folder. Throws InputError for a broken file.
std::optional<PictureRecords> read_picture_records(const std::filesystem::path& index);
// The same, but that each of the files goes to `use` in place of `files`: of millions, all take
// gigabytes.
std::optional<PictureRecords> read_picture_records(const std::filesystem::path& index,
                                                   const std::function<void(PictureRecord&&)>& use);
// Whether they name any town. Reads their first line alone.
bool names_towns(const std::filesystem::path& index);
void write_picture_records(const std::filesystem::path& index, const PictureRecords& records);

}  // namespace hinny
