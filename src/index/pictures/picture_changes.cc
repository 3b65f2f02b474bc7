#include "index/pictures/picture_changes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "index/folder/away.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

bool same_file(const PictureRecord& a, const PictureRecord& b) {
  return a.file == b.file && a.content == b.content && a.left == b.left && a.frames == b.frames;
}

}  // namespace

void count_changes(std::span<const PictureRecord> files, const EarlierIndex* before,
                   PictureReport& report) {
  std::set<std::string> names, seen;
  for (const PictureRecord& file : files) names.insert(file.file);
  std::multiset<std::string> gone;  // contents
  if (before != nullptr) {
    for (const PictureRecord& old : before->records().files) {
      if (!names.contains(old.file)) gone.insert(old.content);
    }
  }
  for (const PictureRecord& file : files) {
    if (!file.broken.empty()) continue;
    const PictureRecord* old = before != nullptr ? before->record(file.file) : nullptr;
    const bool was_image = before != nullptr && before->image(file.content);
    const bool was_away = before != nullptr && before->away_picture(file.content);
    const bool copy = !seen.insert(file.content).second || was_image;
    if (old != nullptr) {
      ++(old->content == file.content ? report.kept : report.changed);
    } else if (const auto from = gone.find(file.content); from != gone.end()) {
      ++report.moved;
      gone.erase(from);
    } else if (copy) {
      ++report.copies;
    } else {
      ++(was_away ? report.returned : report.added);
    }
  }
  report.removed = gone.size();
}

bool same_images(std::span<const PictureRecord> a, std::span<const PictureRecord> b) {
  const auto images = [](std::span<const PictureRecord> files) {
    std::vector<PictureRecord> some;
    std::ranges::copy_if(files, std::back_inserter(some),
                         [](const PictureRecord& file) { return file.broken.empty(); });
    return some;
  };
  return std::ranges::equal(images(a), images(b), same_file);
}

bool same_records(std::span<const PictureRecord> a, std::span<const PictureRecord> b) {
  return std::ranges::equal(a, b, [](const PictureRecord& one, const PictureRecord& other) {
    return same_file(one, other) && one.size == other.size && one.modified == other.modified &&
           one.facts == other.facts && one.broken == other.broken && one.raw == other.raw &&
           one.town == other.town;
  });
}

AwayPictures away_pictures(const fs::path& root, std::span<const PictureRecord> files,
                           const EarlierIndex& before) {
  std::set<std::string> names, contents;
  for (const PictureRecord& file : files) {
    names.insert(file.file);
    if (file.broken.empty()) contents.insert(file.content);
  }
  AwayPictures pictures;
  std::map<fs::path, bool> folders;
  // `find`: where an image of a content has its vectors.
  const auto take = [&](const PictureRecord& file, const auto& find, const std::string& left) {
    if (!find(file.content) || names.contains(file.file) || is_long_ago(left)) return;
    const fs::path folder = (root / file.file).parent_path();
    const auto known = folders.find(folder);
    const bool away = known != folders.end()
                          ? known->second
                          : folders.emplace(folder, is_away(folder)).first->second;
    if (!away || !contents.insert(file.content).second) return;
    pictures.files.push_back(file);
    pictures.files.back().left = left;
    for (const auto& image : file.images()) pictures.kept.push_back(find(image.content).value());
  };
  for (const PictureRecord& file : before.away()) {
    take(
        file, [&](const std::string& content) { return before.away_picture(content); }, file.left);
  }
  for (const PictureRecord& file : before.records().files) {
    if (!file.broken.empty()) continue;
    take(
        file, [&](const std::string& content) { return before.image(content); }, today());
  }
  return pictures;
}

}  // namespace hinny
