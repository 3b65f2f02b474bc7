// What has become of the pictures of a folder since its index was made.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "index/folder/index_entries.h"
#include "index/pictures/earlier_index.h"
#include "index/pictures/picture_report.h"
#include "index/tree/picture_records.h"

namespace hinny {

// Counts the files that are there now, by name, and those that are gone. `before` may be null.
void count_changes(std::span<const PictureRecord> files, const EarlierIndex* before,
                   PictureReport& report);

// Whether these are the same images: in all but when their files were changed, when they were taken
// and what is broken.
bool same_images(std::span<const PictureRecord> a, std::span<const PictureRecord> b);
// Whether they are the same in all that is recorded.
bool same_records(std::span<const PictureRecord> a, std::span<const PictureRecord> b);

struct AwayPictures {
  std::vector<PictureRecord> files;
  std::vector<IndexEntry::Kept> kept;  // of their images
};
// Of the pictures that are not among `files`: those whose folder is away, now or since an earlier
// index, that no other file has the content of.
AwayPictures away_pictures(const std::filesystem::path& root, std::span<const PictureRecord> files,
                           const EarlierIndex& before);

}  // namespace hinny
