#include "data/importers/flickr8k.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/lines.h"
#include "data/importers/names.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kTokenFile = "Flickr8k.token.txt";

struct Line {
  std::string_view picture, text;
};

std::optional<Line> parsed(std::string_view line) {
  const std::size_t tab = line.find('\t');
  const std::string_view key = line.substr(0, tab);
  const std::size_t sign = key.rfind('#');
  if (tab == std::string_view::npos || sign == std::string_view::npos || sign == 0) return {};
  const std::string_view number = trimmed(key.substr(sign + 1));
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos) return {};
  return Line{trimmed(key.substr(0, sign)), line.substr(tab + 1)};
}

fs::path file_in(const fs::path& source) {
  if (!fs::is_directory(source)) return source;
  fs::path file = source / kTokenFile;
  if (!fs::exists(file)) throw InputError(source, fmt::format("no {}", kTokenFile), "that file");
  return file;
}

// Splits by picture, from the lists beside the captions.
std::unordered_map<std::string, std::string> listed_splits(const fs::path& file) {
  std::unordered_map<std::string, std::string> splits;
  std::vector<fs::path> beside;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) beside.push_back(entry.path());
  std::ranges::sort(beside);
  for (const auto& [ending, split] : {std::pair{"trainImages.txt", "train"},
                                      {"devImages.txt", "val"},
                                      {"testImages.txt", "test"}}) {
    for (const fs::path& path : beside) {
      const std::string name = path.filename().string();
      if (name.starts_with('.') || !name.ends_with(ending)) continue;
      for_each_line(path, [&, split = split](std::string_view line, std::size_t number) {
        const std::string picture(trimmed(line));
        if (picture.empty()) return;
        const auto [known, is_new] = splits.try_emplace(picture, split);
        if (!is_new && known->second != split) {
          throw InputError(path, number,
                           fmt::format("'{}' is of the split {}, too", picture, known->second),
                           "one split for each picture");
        }
      });
    }
  }
  return splits;
}

}  // namespace

bool is_token_line(std::string_view line) { return parsed(line).has_value(); }

void import_flickr8k(const fs::path& source, const RowOptions& options, ImportWriter& writer) {
  const fs::path file = file_in(source);
  const auto splits = listed_splits(file);
  CaptionRows rows(options, writer);
  // What every line says; nothing of a picture that no list has.
  const auto each = [&](const std::function<void(const CaptionRow&, const Place&)>& use,
                        const std::function<void(const Place&)>& leave_out) {
    for_each_line(file, [&](std::string_view text, std::size_t number) {
      if (trimmed(text).empty()) return;
      const Place place{file, number};
      const auto line = parsed(text);
      if (!line) {
        throw InputError(file, number, "no picture, '#', number and tab",
                         "1000268201_693b08cb0e.jpg#0<TAB>A child");
      }
      CaptionRow row;
      row.picture = line->picture;
      row.texts.push_back({std::string(line->text), ""});
      if (const auto split = splits.find(row.picture); split != splits.end()) {
        row.split = split->second;
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
