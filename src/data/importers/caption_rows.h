// What the loose formats share: tables and records that name a picture and say something of it.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/importers/import_writer.h"

namespace hinny {

struct RowOptions {
  std::string language{};  // of rows that name none; empty: those are an InputError
  // Shares of train, val and test for images without a split.
  std::optional<std::array<int, 3>> shares{};
};

// One row: a picture, and any number of captions of it.
struct CaptionRow {
  std::string picture;  // its file or its id, as written
  std::string id;       // where that stands apart; else it is made of `picture`
  std::string split;    // "" where the row says none
  struct Text {
    std::string text;
    std::string language;  // "": the options'
  };
  std::vector<Text> texts;
  std::string source;  // "": human-original
};

// "validation", "dev" and "valid" are "val", "training" is "train", in any capitals; others as they
// are.
std::string split_called(const std::string& name);

// Takes a source's rows twice: an image's split may stand on any of them, and ids are made when all
// pictures are known. A picture's id is image_id_of_file of it (names.h); where two pictures would
// share one, all are called by their whole path without the ending, or else with it.
class CaptionRows {
 public:
  CaptionRows(RowOptions options, ImportWriter& writer)
      : options_(std::move(options)), writer_(writer) {}

  void see(const CaptionRow& row, const Place& place);  // first pass
  // InputError for an image without a split: the row's, that of its folder, or by its hash.
  void write_images();
  void add(const CaptionRow& row, const Place& place);  // second pass

 private:
  struct Known {
    std::string picture, id, split;
    std::string place;
  };
  std::string id_of(const Known& known, int level) const;

  RowOptions options_;
  ImportWriter& writer_;
  std::vector<Known> images_;
  std::unordered_map<std::string, std::size_t> positions_;
};

}  // namespace hinny
