#include "data/importers/xtd.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
#include "data/importers/names.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kXtdNames = "test_image_names.txt";
constexpr std::string_view kXtdStart = "test_1kcaptions_", kXtdEnd = ".txt";

fs::path xtd_names(const fs::path& source) {
  if (!fs::is_directory(source)) {
    throw InputError(source, fs::exists(source) ? "not a folder" : "no such folder",
                     fmt::format("the folder of {}", kXtdNames));
  }
  for (const fs::path& folder : {source, source / "XTD10"}) {
    if (fs::is_regular_file(folder / kXtdNames)) return folder / kXtdNames;
  }
  throw InputError(source, fmt::format("no {}", kXtdNames), "that file, here or in XTD10/");
}

// The files of captions by their languages, which the collection calls Japanese "jp" among.
std::map<std::string, fs::path> xtd_files(const fs::path& source, ImportWriter& writer) {
  std::map<std::string, fs::path> files;
  for (const fs::path& folder : {source, source / "XTD10", source / "MIC", source / "STAIR"}) {
    if (!fs::is_directory(folder)) continue;
    std::vector<fs::path> paths;
    for (const auto& entry : entries_in(folder)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
    for (const fs::path& path : paths) {
      const std::string name = path.filename().string();
      if (name == kXtdNames) continue;
      if (!name.starts_with(kXtdStart) || !name.ends_with(kXtdEnd)) {
        writer.leave_alone(path);
        continue;
      }
      std::string language =
          name.substr(kXtdStart.size(), name.size() - kXtdStart.size() - kXtdEnd.size());
      if (language == "jp") language = "ja";
      const auto [known, is_new] = files.try_emplace(language, path);
      if (is_new) continue;
      throw InputError(path, fmt::format("'{}' for the second time", language),
                       fmt::format("each language once; {} has it too", known->second.string()));
    }
  }
  if (files.empty())
    throw InputError(source, "no captions", "files such as test_1kcaptions_it.txt");
  return files;
}

std::vector<std::string> xtd_images(const fs::path& list, const PictureFolder& pictures,
                                    ImportWriter& writer) {
  std::vector<std::string> ids;
  for_each_line(list, [&](std::string_view line, std::size_t number) {
    const Place place{list, number};
    const std::string name(trimmed(line));
    if (name.empty()) throw InputError(list, number, "an empty line", "a picture's name");
    ids.push_back(image_id_of_file(name));
    if (writer.has(ids.back())) {
      throw InputError(fmt::format("{}: '{}' for the second time", place.text(), name),
                       "each picture once");
    }
    writer.image({ids.back(), "test", pictures.find(name, place)}, place);
  });
  return ids;
}

void xtd_captions(const fs::path& file, const std::string& language,
                  const std::vector<std::string>& ids, const fs::path& list, ImportWriter& writer) {
  // COCO's English and STAIR's Japanese were written of the pictures, all others translated.
  const Source source =
      language == "en" || language == "ja" ? Source::human_original : Source::human_translation;
  std::size_t lines = 0;
  for_each_line(file, [&](std::string_view text, std::size_t number) {
    lines = number;
    if (number > ids.size()) return;  // counted to the end for the message
    writer.caption(ids[number - 1], language, text, source, {file, number});
  });
  if (lines != ids.size()) {
    throw InputError(file, fmt::format("{} lines", lines),
                     fmt::format("{}, as in {}", ids.size(), list.string()));
  }
}

}  // namespace

void import_xtd(const fs::path& source, const PictureFolder& pictures, ImportWriter& writer) {
  const fs::path list = xtd_names(source);
  const auto files = xtd_files(source, writer);
  const std::vector<std::string> ids = xtd_images(list, pictures, writer);
  for (const auto& [language, file] : files) xtd_captions(file, language, ids, list, writer);
  pictures.link(writer.folder());
}

}  // namespace hinny
