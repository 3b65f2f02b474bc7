#include "index/folder/away.h"

#include <algorithm>
#include <chrono>

#include "base/day.h"
#include "base/error.h"
#include "base/folders.h"
#include "index/folder/write_index.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

std::int64_t now() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

}  // namespace

bool is_away(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator item(folder, error);
  for (; !error && item != fs::directory_iterator(); item.increment(error)) {
    if (!item->path().filename().native().starts_with('.')) return false;
  }
  return true;
}

std::string today() { return time_text(now()).substr(0, 10); }

bool is_long_ago(const std::string& day) {
  constexpr std::int64_t kDay = 24 * 3600;
  const auto period = parse_period(day);
  return !period || period->end + kAwayDays * kDay < now();
}

Away::Away(const fs::path& index) {
  try {
    auto records = read_picture_records(index / kAwayFolder);
    if (!records) return;
    Index opened = Index::open(index / kAwayFolder);
    std::size_t image = 0;
    for (const PictureRecord& record : records->files) {
      if (record.image_count() > 0) image_of_.emplace(record.content, image);
      for (const auto& one : record.images()) image_of_.emplace(one.content, image++);
    }
    if (image != opened.size()) throw InputError(index / kAwayFolder, "is broken", "");
    index_.emplace(std::move(opened));
    records_ = std::move(*records);
  } catch (const InputError&) {
    image_of_.clear();
  }
}

std::optional<IndexEntry::Kept> Away::find(const std::string& content) const {
  const auto found = image_of_.find(content);
  if (found == image_of_.end()) return std::nullopt;
  return IndexEntry::Kept{&*index_, found->second};
}

void write_away(const fs::path& index, IndexContents contents, PictureRecords records,
                const std::vector<IndexEntry::Kept>& kept) {
  const fs::path folder = index / kAwayFolder;
  create_folder(folder / "encoder");
  take_over(index / "encoder", folder / "encoder");
  contents.encoders.clear();
  std::vector<IndexEntry> entries;
  for (const PictureRecord& record : records.files) {
    for (const auto& [id, content] : record.images()) {
      entries.push_back(
          {id, records.root / record.file, content.substr(0, 16), kept[entries.size()], -1});
    }
  }
  write_entries(Model::open(folder / "encoder"), {}, entries, std::move(contents), Graphs::none,
                folder);
  write_picture_records(folder, records);
}

}  // namespace hinny
