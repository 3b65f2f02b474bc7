#include "index/change_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "base/files.h"
#include "index/entries.h"
#include "index/write_index.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// Files that do not depend on the images: hard links cost nothing, a copy where there are none.
void take_over(const fs::path& from, const fs::path& to) {
  if (fs::is_directory(from)) {
    create_folder(to);
    for (const auto& item : fs::directory_iterator(from)) {
      take_over(item.path(), to / item.path().filename());
    }
  } else {
    std::error_code error;
    fs::create_hard_link(from, to, error);
    if (error) copy_whole_file(from, to);
  }
}

void rewrite(const Index& old, const Features* features, const std::vector<Entry>& entries) {
  AtomicFolder target(old.folder());
  for (const auto& item : fs::directory_iterator(old.folder())) {
    const fs::path name = item.path().filename();
    if (!depends_on_images(name)) take_over(item.path(), target.path() / name);
  }
  write_entries(old.model(), {&old, features}, entries, old.contents(), target.path());
  target.commit();
}

// Marks what is there already with the same features, and counts.
void match(const Index& old, std::vector<Entry>& entries, IndexChange& change) {
  for (Entry& entry : entries) {
    const auto found = old.find(entry.id);
    if (!found) {
      ++change.added;
    } else if (old.contents().digests[*found] == entry.digest) {
      entry.kept = *found;
      ++change.kept;
    } else {
      ++change.changed;
    }
  }
}

bool same_images(const std::vector<Entry>& a, const std::vector<Entry>& b) {
  return std::ranges::equal(a, b, [](const Entry& one, const Entry& other) {
    return one.id == other.id && one.file == other.file && one.digest == other.digest;
  });
}

IndexChange change_with(const Index& old, const ImagesToIndex& images, bool keep_others) {
  std::vector<Entry> entries =
      fresh_entries(old.model(), images.dataset, images.features, images.images);
  const std::vector<Entry> before = kept_entries(old);
  IndexChange change;
  match(old, entries, change);
  std::vector<Entry> after;
  if (keep_others) {
    after = before;
    change.kept = before.size() - change.changed;
    for (Entry& entry : entries) {
      if (const auto found = old.find(entry.id)) {
        after[*found] = std::move(entry);
      } else {
        after.push_back(std::move(entry));
      }
    }
  } else {
    change.removed = before.size() - change.kept - change.changed;
    after = std::move(entries);
  }
  if (!same_images(before, after)) rewrite(old, &images.features, after);
  return change;
}

}  // namespace

IndexChange add_to_index(const fs::path& folder, const ImagesToIndex& images) {
  return change_with(Index::open(folder), images, true);
}

IndexChange update_index(const fs::path& folder, const ImagesToIndex& images) {
  return change_with(Index::open(folder), images, false);
}

IndexChange remove_from_index(const fs::path& folder, const std::vector<std::string>& ids) {
  const Index old = Index::open(folder);
  std::vector<Entry> entries = kept_entries(old);
  for (const std::string& id : ids) {
    if (!old.find(id)) {
      throw InputError(folder, fmt::format("holds no image '{}'", id), "an id of the index");
    }
  }
  const std::unordered_set<std::string> unwanted(ids.begin(), ids.end());
  IndexChange change;
  change.removed = std::erase_if(entries, [&](const Entry& e) { return unwanted.contains(e.id); });
  change.kept = entries.size();
  if (entries.empty()) {
    throw InputError(folder, "would hold no image any more", "one or more that stay");
  }
  if (change.removed > 0) rewrite(old, nullptr, entries);
  return change;
}

}  // namespace hinny
