// Splits of images, from a file apart from their captions: docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>

#include "data/importers/import_writer.h"

namespace hinny {

class ImageSplits {
 public:
  // Lines of an image and its split with a blank between them, those of a dataset's images.jsonl,
  // or a Karpathy split file, told by what is in it. Names of files stand for the ids that the
  // importers give them (names.h). "validation" and "dev" are "val". InputError, with line or
  // record: anything else, an image that is named twice.
  static ImageSplits read(const std::filesystem::path& file);

  // The split of an image; nothing when the file does not name it.
  std::optional<std::string> find(const std::string& image_id) const;
  // The same, or `otherwise`; where that is empty, an InputError at `place`.
  std::string split_of(const std::string& image_id, const std::string& otherwise,
                       const Place& place) const;

 private:
  void add(const std::string& image, const std::string& split, const Place& place);
  struct Known {
    std::string split;
    std::string place;
  };
  std::filesystem::path file_;
  std::unordered_map<std::string, Known> splits_;
};

}  // namespace hinny
