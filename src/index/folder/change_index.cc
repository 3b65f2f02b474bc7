#include "index/folder/change_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/folders.h"
#include "index/folder/index_entries.h"
#include "index/folder/write_index.h"
#include "index/tree/picture_records.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// What is to become of an index.
struct Plan {
  std::vector<IndexEntry> before, after;
  IndexChange change{};
};

void write_changed(const Index& old, const Features* features, const Plan& plan,
                   const fs::path& target) {
  take_over(old.folder(), target);
  write_entries(old.model(), features != nullptr ? fresh_from(*features) : FreshFeatures{},
                plan.after, old.contents(), graphs_of(old), target, &old);
}

void rewrite(const Index& old, const Features* features, const Plan& plan, const Features* regions,
             const std::optional<Plan>& reranker) {
  AtomicFolder target(old.folder());
  write_changed(old, features, plan, target.path());
  if (reranker) {
    create_folder(target.path() / kRerankerFolder);
    write_changed(*old.reranker(), regions, *reranker, target.path() / kRerankerFolder);
  }
  commit_index(target, old.folder());
}

// Marks what is there already with the same features, and counts.
void match(const Index& old, std::vector<IndexEntry>& entries, IndexChange& change) {
  for (IndexEntry& entry : entries) {
    const auto found = old.find(entry.id);
    if (!found) {
      ++change.added;
    } else if (old.contents().digests[*found] == entry.digest) {
      entry.kept = IndexEntry::Kept{&old, *found};
      ++change.kept;
    } else {
      ++change.changed;
    }
  }
}

bool same_images(const std::vector<IndexEntry>& a, const std::vector<IndexEntry>& b) {
  return std::ranges::equal(a, b, [](const IndexEntry& one, const IndexEntry& other) {
    return one.id == other.id && one.file == other.file && one.digest == other.digest;
  });
}

Plan plan_of(const Index& old, const Dataset& dataset, const Features& features,
             const std::vector<int>& images, bool keep_others) {
  std::vector<IndexEntry> entries = fresh_entries(old.model(), dataset, features, images);
  Plan plan;
  plan.before = stored_entries(old);
  IndexChange& change = plan.change;
  match(old, entries, change);
  if (!keep_others) {
    change.removed = plan.before.size() - change.kept - change.changed;
    plan.after = std::move(entries);
    return plan;
  }
  plan.after = plan.before;
  change.kept = plan.before.size() - change.changed;
  for (IndexEntry& entry : entries) {
    if (const auto found = old.find(entry.id)) {
      plan.after[*found] = std::move(entry);
    } else {
      plan.after.push_back(std::move(entry));
    }
  }
  return plan;
}

void check_of_dataset(const fs::path& folder) {
  if (!fs::exists(folder / kPictureRecordsFile)) return;
  throw InputError(folder, "was made from a folder of pictures",
                   "hinny index MODEL --pictures FOLDER --out INDEX, which brings it up to date");
}

IndexChange change_with(const Index& old, const ImagesToIndex& images, bool keep_others) {
  check_of_dataset(old.folder());
  const Plan plan = plan_of(old, images.dataset, images.features, images.images, keep_others);
  std::optional<Plan> reranker;
  if (old.reranker() != nullptr) {
    if (images.regions == nullptr) {
      throw InputError(old.folder(), "has a re-ranking model of regions",
                       "features " + old.reranker()->contents().features + " of the images");
    }
    reranker =
        plan_of(*old.reranker(), images.dataset, *images.regions, images.images, keep_others);
  }
  if (plan.after.empty()) throw InputError("no image to index", "one or more with features");
  if (!same_images(plan.before, plan.after) ||
      (reranker && !same_images(reranker->before, reranker->after))) {
    rewrite(old, &images.features, plan, images.regions, reranker);
  }
  return plan.change;
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
  check_of_dataset(folder);
  for (const std::string& id : ids) {
    if (!old.find(id)) {
      throw InputError(folder, fmt::format("holds no image '{}'", id), "an id of the index");
    }
  }
  const std::unordered_set<std::string> unwanted(ids.begin(), ids.end());
  const auto without = [&](const Index& index) {
    Plan plan{{}, stored_entries(index)};  // what was before is not compared
    plan.change.removed =
        std::erase_if(plan.after, [&](const IndexEntry& e) { return unwanted.contains(e.id); });
    plan.change.kept = plan.after.size();
    return plan;
  };
  const Plan plan = without(old);
  if (plan.after.empty()) {
    throw InputError(folder, "would hold no image any more", "one or more that stay");
  }
  std::optional<Plan> reranker;
  if (old.reranker() != nullptr) reranker = without(*old.reranker());
  if (plan.change.removed > 0) rewrite(old, nullptr, plan, nullptr, reranker);
  return plan.change;
}

}  // namespace hinny
