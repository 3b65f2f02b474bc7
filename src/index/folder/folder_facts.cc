#include "index/folder/folder_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "index/tree/picture_records.h"
#include "text/plain_words.h"

namespace hinny {
namespace {

// Numbers names as they come.
class NamedImages {
 public:
  explicit NamedImages(ImageNames& names) : names_(names) {}
  void add(const std::string& name) {
    const auto fresh = static_cast<std::uint32_t>(names_.names.size());
    const auto [at, is_new] = numbers_.try_emplace(name, name.empty() ? 0 : fresh);
    if (is_new && !name.empty()) names_.names.push_back(name);
    names_.of.push_back(at->second);
  }
  // Of a name that was added.
  std::uint32_t number(const std::string& name) const { return numbers_.at(name); }
  bool has(const std::string& name) const { return numbers_.contains(name); }

 private:
  ImageNames& names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

void TownIndex::add(const Town& town, std::uint32_t number) {
  const std::string_view whole = town.name;
  const std::size_t end = std::min(whole.rfind(", "), whole.size());
  const auto add_both = [&](std::string_view name) {
    add(name, number);
    add(fmt::format("{}{}", name, whole.substr(end)), number);  // "Lissabon, PT"
  };
  add_both(whole.substr(0, end));
  for (const std::string& name : town.also) add_both(name);
}

void TownIndex::add(std::string_view name, std::uint32_t number) {
  const std::string plain = plain_text(name);
  if (plain.empty()) return;
  auto& towns = towns_[plain];
  if (std::ranges::find(towns, number) == towns.end()) towns.push_back(number);
  longest_ = std::max(longest_, 1 + static_cast<std::size_t>(std::ranges::count(plain, ' ')));
}

std::span<const std::uint32_t> TownIndex::called(std::string_view name) const {
  const auto found = towns_.find(plain_text(name));
  return found == towns_.end() ? std::span<const std::uint32_t>() : found->second;
}

std::optional<FolderFacts> read_folder_facts(const std::filesystem::path& index,
                                             std::size_t images) {
  FolderFacts facts;
  NamedImages cameras(facts.cameras), lenses(facts.lenses), exposures(facts.exposures),
      towns(facts.towns);
  facts.times.reserve(images);
  facts.from.reserve(images);
  facts.places.reserve(images);
  facts.sizes.reserve(images);
  for (auto* names : {&facts.cameras, &facts.lenses, &facts.exposures, &facts.towns}) {
    names->of.reserve(images);
  }
  const auto records = read_picture_records(index, [&](PictureRecord&& record) {
    if (!record.raw.empty() && record.broken.empty()) {
      facts.raw.emplace(facts.places.size(), record.raw);
    }
    const Taken taken = taken_of(record);
    for (std::size_t image = 0; image < record.image_count(); ++image) {
      facts.times.push_back(taken.at);
      facts.from.push_back(taken.from);
      facts.places.push_back(record.facts.place);
      cameras.add(record.facts.camera);
      lenses.add(record.facts.lens);
      exposures.add(record.facts.exposure);
      facts.sizes.push_back({record.facts.width, record.facts.height});
      towns.add(record.town);
    }
  });
  if (!records) return std::nullopt;
  facts.root = records->root;
  for (const Town& town : records->towns) {
    if (towns.has(town.name)) facts.town_index.add(town, towns.number(town.name));
  }
  if (facts.times.size() == images) return facts;
  throw InputError(index / kPictureRecordsFile, fmt::format("{} pictures", facts.times.size()),
                   fmt::format("{}, those of the index", images));
}

}  // namespace hinny
