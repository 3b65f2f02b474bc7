// Vectors of pictures whose folder is unavailable: a disk that is not plugged in, a share that is
// not mounted. docs/formats/index.md, away/.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/folder/index.h"
#include "index/folder/index_entries.h"
#include "index/tree/picture_records.h"

namespace hinny {

constexpr const char* kAwayFolder = "away";
constexpr int kAwayDays = 30;  // as long as they are kept

// Whether a folder is gone or holds nothing, as the place where a disk was mounted does; names that
// begin with a dot do not count.
bool is_away(const std::filesystem::path& folder);

// "2024-06-15", in UTC, and whether a day is longer ago than kAwayDays.
std::string today();
bool is_long_ago(const std::string& day);

// What an index keeps of such pictures. One that cannot be read keeps nothing.
class Away {
 public:
  Away() = default;
  explicit Away(const std::filesystem::path& index);

  const std::vector<PictureRecord>& files() const { return records_.files; }
  // A picture or frame of this content; of a film's content, its first frame.
  std::optional<IndexEntry::Kept> find(const std::string& content) const;

 private:
  std::optional<Index> index_;
  PictureRecords records_;
  std::unordered_map<std::string, std::size_t> image_of_;
};

// Into the folder of a new index, which is there with its encoder/ and says what `contents` and
// `records` say but for their pictures: those of `records.files`, and `kept` has their images'
// vectors.
void write_away(const std::filesystem::path& index, IndexContents contents, PictureRecords records,
                const std::vector<IndexEntry::Kept>& kept);

}  // namespace hinny
