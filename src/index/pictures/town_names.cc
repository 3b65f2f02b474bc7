#include "index/pictures/town_names.h"

#include <set>
#include <utility>

#include "base/content_hash.h"
#include "base/error.h"

namespace hinny {
namespace fs = std::filesystem;

TownNames::TownNames(const std::optional<fs::path>& file, const PictureRecords* before) {
  PictureRecords::TownList old;
  if (before != nullptr) {
    old = before->town_list;
    for (const Town& town : before->towns) known_.emplace(town.name, town);
  }
  if (file && !file->empty()) {
    if (!fs::is_regular_file(*file)) {
      throw InputError(*file, fs::exists(*file) ? "no file" : "no such file",
                       "a list of towns, as GeoNames' cities500.txt");
    }
    list_ = {fs::canonical(*file).string(), content_hash(*file)};
  } else if (!file) {
    list_ = old;
    gone_ = !list_.file.empty() && !fs::is_regular_file(list_.file);
    if (!gone_ && !list_.file.empty()) list_.hash = content_hash(fs::path(list_.file));
  }
  anew_ = list_.hash != old.hash;
}

void TownNames::name(std::span<PictureRecord> files) {
  for (PictureRecord& file : files) {
    if (anew_ || !file.facts.place) file.town.clear();
    if (!file.facts.place || !file.town.empty() || list_.file.empty() || gone_) continue;
    if (!gazetteer_) gazetteer_.emplace(list_.file);
    if (const Town* town = gazetteer_->at(*file.facts.place)) {
      file.town = town->name;
      known_.insert_or_assign(town->name, *town);
    }
  }
}

std::vector<Town> TownNames::of(std::span<const PictureRecord> files) const {
  std::set<std::string> names;
  for (const PictureRecord& file : files) names.insert(file.town);
  std::vector<Town> towns;
  for (const auto& [name, town] : known_) {
    if (names.contains(name)) towns.push_back(town);
  }
  return towns;
}

}  // namespace hinny
