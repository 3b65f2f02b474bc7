// Where pictures were taken, by name.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "index/tree/gazetteer.h"
#include "index/tree/picture_records.h"

namespace hinny {

// What names the pictures of an index. For one thread.
class TownNames {
 public:
  // `file`: of towns (gazetteer.h), "" for none; nullopt: that of `before`, what the index was
  // last made by. Throws InputError when a file that is given cannot be read.
  TownNames(const std::optional<std::filesystem::path>& file, const PictureRecords* before);

  // Names what has a place: all where another list was given than the index was made by, else what
  // has no name yet. The first that it names reads the list. Throws InputError for a broken one.
  void name(std::span<PictureRecord> files);
  // Whether the list that the index was made by is gone: its names stay, and there are no others.
  bool is_gone() const { return gone_; }
  const PictureRecords::TownList& list() const { return list_; }
  // The towns of these, by name.
  std::vector<Town> of(std::span<const PictureRecord> files) const;

 private:
  PictureRecords::TownList list_{};
  bool anew_ = false, gone_ = false;
  std::map<std::string, Town> known_;
  std::optional<Gazetteer> gazetteer_;
};

}  // namespace hinny
