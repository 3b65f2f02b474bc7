// The index of a folder of pictures as it stands: what the next one can take over from it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/folder/away.h"
#include "index/folder/index.h"
#include "index/folder/index_entries.h"
#include "index/tree/picture_records.h"

namespace hinny {

class EarlierIndex {
 public:
  // Opens the index in a folder whose records are these. Throws InputError where they are of other
  // images than its own, and as Index::open.
  EarlierIndex(const std::filesystem::path& folder, PictureRecords records);
  EarlierIndex(const EarlierIndex&) = delete;  // what it finds points into it
  EarlierIndex& operator=(const EarlierIndex&) = delete;

  const Index& index() const { return index_; }
  const PictureRecords& records() const { return records_; }
  const std::vector<PictureRecord>& away() const { return away_.files(); }

  const PictureRecord* record(const std::string& file) const;  // or null
  // By content, of an image or of a file (a film's is that of its first frame): the vectors of one
  // that is here, of one that was away, and why it is no image.
  std::optional<IndexEntry::Kept> image(const std::string& content) const;
  std::optional<IndexEntry::Kept> away_picture(const std::string& content) const {
    return away_.find(content);
  }
  // Of a film of this content, here or away: its frames; or null.
  const std::vector<std::int64_t>* frames(const std::string& content) const;
  const std::string* why_broken(const std::string& content) const;  // or null

 private:
  [[noreturn]] void refuse() const;
  Index index_;
  PictureRecords records_;
  Away away_;
  std::unordered_map<std::string, const PictureRecord*> by_file_;
  std::unordered_map<std::string, std::size_t> image_of_;  // by content
  std::unordered_map<std::string, std::string> broken_;    // likewise
  std::unordered_map<std::string, const std::vector<std::int64_t>*> frames_;
};

// The model's hash does not cover what it remembers, which stands behind each vector all the same.
std::string hubs_hash(const std::filesystem::path& model);

}  // namespace hinny
