#include "data/importers/caption_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "data/importers/jsonl.h"
#include "data/importers/names.h"

namespace hinny {
namespace {

std::string small(std::string_view text) {
  std::string letters(text);
  for (char& c : letters) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return letters;
}

// Tables made on Windows part folders by '\'.
std::string with_slashes(std::string name) {
  std::ranges::replace(name, '\\', '/');
  while (name.starts_with("./")) name.erase(0, 2);
  return name;
}

std::string without_ending(const std::string& name) {
  return names_a_file(name) ? name.substr(0, name.rfind('.')) : name;
}

// "train/0001.png" lies in the split train.
std::string split_of_folder(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) return "";
  const std::string split = split_called(name.substr(0, slash));
  return split == "train" || split == "val" || split == "test" ? split : "";
}

std::string key_of(const CaptionRow& row) {
  return row.id.empty() ? "picture " + with_slashes(row.picture) : "id " + row.id;
}

Source source_of(const CaptionRow& row, const Place& place) {
  if (row.source.empty()) return Source::human_original;
  if (const auto known = find_source(row.source)) return *known;
  throw InputError(fmt::format("{}: source '{}'", place.text(), row.source),
                   "human-original, human-translation, ...: docs/formats/dataset.md");
}

}  // namespace

std::string split_called(const std::string& name) {
  const std::string split = small(name);
  if (split == "validation" || split == "valid" || split == "dev" || split == "val") return "val";
  if (split == "training" || split == "train") return "train";
  return split == "testing" || split == "test" ? "test" : name;
}

void CaptionRows::see(const CaptionRow& row, const Place& place) {
  if (row.picture.empty() && row.id.empty()) {
    throw InputError(place.text() + ": no picture is named", "its file or its id");
  }
  const auto [found, is_new] = positions_.try_emplace(key_of(row), images_.size());
  if (is_new) images_.push_back({with_slashes(row.picture), row.id, "", place.text()});
  Known& known = images_[found->second];
  const std::string split = split_called(row.split);
  if (split.empty() || split == known.split) return;
  if (!known.split.empty()) {
    throw InputError(fmt::format("{}: split '{}'", place.text(), row.split),
                     fmt::format("'{}', as on an earlier row of this image", known.split));
  }
  known.split = split;
}

std::string CaptionRows::id_of(const Known& known, int level) const {
  if (!known.id.empty()) return known.id;
  if (level == 0 && names_a_file(known.picture)) return image_id_of_file(known.picture);
  return level < 2 ? without_ending(known.picture) : known.picture;
}

void CaptionRows::write_images() {
  int level = 0;
  for (bool shared = true; shared && level < 2;) {
    std::unordered_set<std::string> ids;
    shared = false;
    for (const Known& known : images_) shared = !ids.insert(id_of(known, level)).second || shared;
    level += shared ? 1 : 0;
  }
  for (Known& known : images_) {
    known.id = id_of(known, level);
    if (known.split.empty()) known.split = split_of_folder(known.picture);
    if (known.split.empty() && options_.shares) {
      known.split = split_by_hash(known.id, *options_.shares);
    }
    if (known.split.empty()) {
      throw InputError(fmt::format("{}: image '{}' has no split", known.place, known.id),
                       "a column or key \"split\", or --split-by 80/10/10");
    }
    const std::filesystem::path place(known.place);
    writer_.image({known.id, known.split, names_a_file(known.picture) ? known.picture : ""},
                  {place});
  }
}

void CaptionRows::add(const CaptionRow& row, const Place& place) {
  const Known& known = images_[positions_.at(key_of(row))];
  const Source source = source_of(row, place);
  for (const auto& [text, language] : row.texts) {
    const std::string& chosen = language.empty() ? options_.language : language;
    if (chosen.empty()) {
      throw InputError(place.text() + ": no language", "a column or key \"lang\", or --lang");
    }
    writer_.caption(known.id, chosen, text, source, place);
  }
}

}  // namespace hinny
