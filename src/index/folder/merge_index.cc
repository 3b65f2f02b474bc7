#include "index/folder/merge_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/folders.h"
#include "data/part.h"
#include "index/folder/index.h"
#include "index/folder/index_entries.h"
#include "index/tree/picture_records.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kAlike = "parts that the same command made, but for --part and --out";

// Everything that the parts of an index share but its images.
void check_alike(const Index& part, const Index& first,
                 const std::map<std::string, std::string>& files_of_first) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(part.folder(), what + first.folder().string(), kAlike);
  };
  const IndexContents& a = part.contents();
  const IndexContents& b = first.contents();
  if (a.model != b.model) refuse("was made by another model than ");
  if (a.split != b.split || a.features != b.features || a.encoders != b.encoders) {
    refuse("was made from another split or other features than ");
  }
  if (a.codes != b.codes) refuse("has codes of other bits than ");
  if ((part.reranker() != nullptr) != (first.reranker() != nullptr)) {
    refuse("has not the same re-ranking model as ");
  }
  const auto files = image_independent_files(part.folder());
  for (const auto& [name, hash] : files_of_first) {
    const auto found = files.find(name);
    if (found == files.end() || found->second != hash) refuse("has another " + name + " than ");
  }
  if (files.size() != files_of_first.size()) refuse("keeps other files than ");
}

// Of a folder of pictures: the files of all parts, in their order.
void merge_picture_records(const std::vector<const Index*>& parts, const fs::path& folder) {
  auto all = read_picture_records(parts.front()->folder());
  for (const Index* part : std::span(parts).subspan(1)) {
    auto records = read_picture_records(part->folder());
    if (records.has_value() != all.has_value() ||
        (all && (records->root != all->root || records->model != all->model))) {
      throw InputError(part->folder(),
                       "is of another folder or model than " + parts.front()->folder().string(),
                       kAlike);
    }
    if (!records) continue;
    if (records->reader != all->reader) all->reader.clear();  // some may be worth another try
    if (records->town_list != all->town_list) all->town_list.hash.clear();  // names all anew
    std::ranges::move(records->files, std::back_inserter(all->files));
    std::ranges::move(records->towns, std::back_inserter(all->towns));
  }
  if (!all) return;
  std::ranges::sort(all->towns, {}, &Town::name);
  const auto same = [](const Town& a, const Town& b) { return a.name == b.name; };
  all->towns.erase(std::unique(all->towns.begin(), all->towns.end(), same), all->towns.end());
  write_picture_records(folder, *all);
}

// Of open parts, in their order, into a folder that is there.
void write_merged(const std::vector<const Index*>& parts, Graphs graphs, const fs::path& folder) {
  const Index& first = *parts.front();
  const auto shared = image_independent_files(first.folder());
  std::size_t images = 0;
  for (const Index* part : parts) images += part->size();
  std::vector<IndexEntry> entries;
  entries.reserve(images);
  for (const Index* part : parts) {
    if (part != &first) check_alike(*part, first, shared);
    std::ranges::move(stored_entries(*part), std::back_inserter(entries));
  }
  take_over(first.folder(), folder);
  write_entries(first.model(), {}, entries, first.contents(), graphs, folder);
  merge_picture_records(parts, folder);
}

}  // namespace

MergeReport merge_index(const std::vector<fs::path>& parts, Graphs graphs, const fs::path& folder) {
  const std::vector<fs::path> ordered = parts_in_order(parts);
  MergeReport report{ordered.size(), 0};
  std::vector<Index> opened;
  for (const fs::path& part : ordered) {
    std::error_code none;
    if (fs::equivalent(part, folder, none)) {
      throw InputError(folder, "is one of the parts", "--out with a name of its own");
    }
    opened.push_back(Index::open(part));
    report.images += opened.back().size();
  }
  if (report.images == 0) throw InputError("no image in any part", "one or more");
  std::vector<const Index*> whole, rerankers;
  for (const Index& part : opened) {
    whole.push_back(&part);
    if (part.reranker() != nullptr) rerankers.push_back(part.reranker());
  }
  AtomicFolder target(folder);
  write_merged(whole, graphs, target.path());
  if (!rerankers.empty()) {
    create_folder(target.path() / kRerankerFolder);
    write_merged(rerankers, graphs, target.path() / kRerankerFolder);
  }
  commit_index(target, ordered.front());
  return report;
}

}  // namespace hinny
