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
  std::vector<Entry> before, after;
  IndexChange change{};
};

void write_changed(const Index& old, const Features* features, const Plan& plan,
                   const fs::path& target) {
  take_over(old.folder(), target);
  write_entries(old.model(), features != nullptr ? fresh_from(*features) : FreshFeatures{},
                plan.after, old.contents(), graphs_of(old), target, &old);
}

void rewrite(const Index& old, const Features* features, const Plan& plan, const Features* regions,
             const std::optional<Plan>& look) {
  AtomicFolder target(old.folder());
  write_changed(old, features, plan, target.path());
  if (look) {
    create_folder(target.path() / kLookFolder);
    write_changed(*old.look(), regions, *look, target.path() / kLookFolder);
  }
  target.commit();
}

// Marks what is there already with the same features, and counts.
void match(const Index& old, std::vector<Entry>& entries, IndexChange& change) {
  for (Entry& entry : entries) {
    const auto found = old.find(entry.id);
    if (!found) {
      ++change.added;
    } else if (old.contents().digests[*found] == entry.digest) {
      entry.kept = Entry::Kept{&old, *found};
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

Plan plan_of(const Index& old, const Dataset& dataset, const Features& features,
             const std::vector<int>& images, bool keep_others) {
  std::vector<Entry> entries = fresh_entries(old.model(), dataset, features, images);
  Plan plan;
  plan.before = kept_entries(old);
  IndexChange& change = plan.change;
  match(old, entries, change);
  if (!keep_others) {
    change.removed = plan.before.size() - change.kept - change.changed;
    plan.after = std::move(entries);
    return plan;
  }
  plan.after = plan.before;
  change.kept = plan.before.size() - change.changed;
  for (Entry& entry : entries) {
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
  std::optional<Plan> look;
  if (old.look() != nullptr) {
    if (images.regions == nullptr) {
      throw InputError(old.folder(), "has a second look at regions",
                       "features " + old.look()->contents().features + " of the images");
    }
    look = plan_of(*old.look(), images.dataset, *images.regions, images.images, keep_others);
  }
  if (plan.after.empty()) throw InputError("no image to index", "one or more with features");
  if (!same_images(plan.before, plan.after) || (look && !same_images(look->before, look->after))) {
    rewrite(old, &images.features, plan, images.regions, look);
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
    Plan plan{{}, kept_entries(index)};  // what was before is not compared
    plan.change.removed =
        std::erase_if(plan.after, [&](const Entry& e) { return unwanted.contains(e.id); });
    plan.change.kept = plan.after.size();
    return plan;
  };
  const Plan plan = without(old);
  if (plan.after.empty()) {
    throw InputError(folder, "would hold no image any more", "one or more that stay");
  }
  std::optional<Plan> look;
  if (old.look() != nullptr) look = without(*old.look());
  if (plan.change.removed > 0) rewrite(old, nullptr, plan, nullptr, look);
  return plan.change;
}

}  // namespace hinny
