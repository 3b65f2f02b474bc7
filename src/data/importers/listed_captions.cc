#include "data/importers/listed_captions.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
#include "data/importers/names.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::array kListedSplits{"train", "val", "test"};

// Where a picture is listed.
struct Listed {
  std::string split;
  std::string place;
};
using Splits = std::unordered_map<std::string, Listed>;

void read_list(const fs::path& list, const char* split, Splits& splits) {
  for_each_line(list, [&](std::string_view line, std::size_t number) {
    const std::string picture(trimmed(line));
    if (picture.empty()) return;
    const Place place{list, number};
    const auto [known, is_new] = splits.try_emplace(picture, Listed{split, place.text()});
    if (is_new) return;
    throw InputError(fmt::format("{}: '{}' for the second time", place.text(), picture),
                     fmt::format("each picture once; {} has it too", known->second.place));
  });
}

Splits listed_splits(const fs::path& file, const ListedLayout& layout) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const std::vector<fs::directory_entry> beside = entries_in(folder);
  Splits splits;
  for (std::size_t i = 0; i < kListedSplits.size(); ++i) {
    for (const fs::directory_entry& entry : beside) {
      const fs::path& path = entry.path();
      const std::string name = path.filename().string();
      if (!name.starts_with('.') && name.ends_with(layout.lists[i])) {
        read_list(path, kListedSplits[i], splits);
      }
    }
  }
  return splits;
}

}  // namespace

fs::path listed_file(const fs::path& source, const char* name) {
  if (!fs::is_directory(source)) return source;
  fs::path file = source / name;
  if (!fs::exists(file)) throw InputError(source, fmt::format("no {}", name), "that file");
  return file;
}

std::optional<ListedLine> listed_line(std::string_view line, std::string_view blanks) {
  const std::size_t blank = line.find_first_of(blanks);
  const std::string_view key = line.substr(0, blank);
  const std::size_t sign = key.rfind('#');
  if (blank == std::string_view::npos || sign == std::string_view::npos || sign == 0) return {};
  const std::string_view number = trimmed(key.substr(sign + 1));
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos) return {};
  return ListedLine{trimmed(key.substr(0, sign)), line.substr(blank + 1)};
}

void import_listed_captions(const fs::path& file, const ListedLayout& layout, RowOfLine row_of,
                            const RowOptions& options, ImportWriter& writer) {
  const Splits splits = listed_splits(file, layout);
  CaptionRows rows(options, writer);
  // What every line says; nothing of a picture that no list has.
  const auto each = [&](const std::function<void(const CaptionRow&, const Place&)>& use,
                        const std::function<void(const Place&)>& leave_out) {
    for_each_line(file, [&](std::string_view text, std::size_t number) {
      if (trimmed(text).empty()) return;
      const Place place{file, number};
      const auto line = listed_line(text, layout.blanks);
      if (!line) throw InputError(file, number, "no picture, '#', number and tab", layout.example);
      CaptionRow row = row_of(*line);
      const auto listed = splits.find(std::string(line->picture));
      if (listed != splits.end()) {
        row.split = listed->second.split;
      } else if (!splits.empty() && !options.shares) {
        return leave_out(place);
      }
      use(row, place);
    });
  };
  each([&](const CaptionRow& row, const Place& place) { rows.see(row, place); },
       [](const Place&) {});
  rows.write_images();
  each([&](const CaptionRow& row, const Place& place) { rows.add(row, place); },
       [&](const Place& place) { writer.skip("image in none of the split lists", place.text()); });
}

}  // namespace hinny
