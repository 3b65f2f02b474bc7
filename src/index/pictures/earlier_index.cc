#include "index/pictures/earlier_index.h"

#include "base/content_hash.h"
#include "base/error.h"
#include "base/run_files.h"

namespace hinny {

EarlierIndex::EarlierIndex(const std::filesystem::path& folder, PictureRecords records)
    : index_(Index::open(folder)), records_(std::move(records)), away_(folder) {
  std::size_t image = 0;
  for (const PictureRecord& record : records_.files) {
    by_file_.emplace(record.file, &record);
    if (!record.broken.empty()) {
      if (!record.content.empty()) broken_.emplace(record.content, record.broken);
      continue;
    }
    image_of_.emplace(record.content, image);
    for (const PictureRecord::Image& one : record.images()) {
      if (image >= index_.size() || index_.id(image) != one.id) refuse();
      image_of_.emplace(one.content, image++);
    }
    if (!record.frames.empty()) frames_.emplace(record.content, &record.frames);
  }
  if (image != index_.size()) refuse();
  for (const PictureRecord& record : away_.files()) {
    if (!record.frames.empty()) frames_.emplace(record.content, &record.frames);
  }
}

void EarlierIndex::refuse() const {
  throw InputError(index_.folder() / kPictureRecordsFile, "holds other images than the index",
                   "an index as `hinny index --pictures` wrote it");
}

const PictureRecord* EarlierIndex::record(const std::string& file) const {
  const auto found = by_file_.find(file);
  return found == by_file_.end() ? nullptr : found->second;
}

std::optional<IndexEntry::Kept> EarlierIndex::image(const std::string& content) const {
  const auto found = image_of_.find(content);
  if (found == image_of_.end()) return std::nullopt;
  return IndexEntry::Kept{&index_, found->second};
}

const std::vector<std::int64_t>* EarlierIndex::frames(const std::string& content) const {
  const auto found = frames_.find(content);
  return found == frames_.end() ? nullptr : found->second;
}

const std::string* EarlierIndex::why_broken(const std::string& content) const {
  const auto found = broken_.find(content);
  return found == broken_.end() ? nullptr : &found->second;
}

std::string hubs_hash(const std::filesystem::path& model) {
  return std::filesystem::exists(model / kHubsFile) ? content_hash(model / kHubsFile) : "";
}

}  // namespace hinny
