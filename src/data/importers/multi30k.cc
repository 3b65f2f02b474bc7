#include "data/importers/multi30k.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "data/importers/names.h"
#include "text/language_code.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// One file of captions, line by line those of an image list.
struct CaptionFile {
  fs::path path;
  std::string split;   // as the file's name has it
  std::string number;  // of the five in task 2; empty in task 1
  std::string language;

  // Task 1 was translated from English; task 2's captions were written independently.
  Source source() const {
    return number.empty() && language != "en" ? Source::human_translation : Source::human_original;
  }
};

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// train.en.gz, train.1.de.gz, val.lc.norm.tok.fr, test_2016.lc.norm.tok.5.en
std::optional<CaptionFile> caption_file(const fs::path& path) {
  std::vector<std::string> parts = parts_of(path.filename().string());
  if (parts.back() == "gz") parts.pop_back();
  if (parts.size() < 2 || parts[0].empty() || !is_language_code(parts.back())) return {};
  CaptionFile file{path, parts.front(), "", parts.back()};
  parts.erase(parts.begin());
  parts.pop_back();
  if (!parts.empty() && parts.back().size() == 1 && parts.back()[0] >= '1' &&
      parts.back()[0] <= '9') {
    file.number = parts.back();
    parts.pop_back();
  }
  const bool plain = parts.empty() || parts == std::vector<std::string>{"lc", "norm", "tok"};
  return plain ? std::optional(file) : std::nullopt;
}

std::string dataset_split(const std::string& name) {
  return name == "test_2016" || name == "test_2016_flickr" ? "test" : name;
}

std::vector<CaptionFile> caption_files(const fs::path& folder, ImportWriter& writer) {
  if (!fs::is_directory(folder)) {
    throw InputError(folder, "no such folder", "Multi30K's folder of captions");
  }
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<CaptionFile> files;
  const auto same = [](const CaptionFile& a, const CaptionFile& b) {
    return a.split == b.split && a.number == b.number && a.language == b.language;
  };
  for (const fs::path& path : paths) {
    const auto file = caption_file(path);
    if (!file) {
      writer.skip("not a caption file by its name", path.string());
    } else if (!files.empty() && same(files.back(), *file)) {
      writer.skip("file both plain and compressed", path.string());
    } else {
      files.push_back(*file);
    }
  }
  if (files.empty()) throw InputError(folder, "no caption file", "files such as train.en.gz");
  std::stable_sort(files.begin(), files.end(), [](const CaptionFile& a, const CaptionFile& b) {
    return split_before(dataset_split(a.split), dataset_split(b.split));
  });
  return files;
}

// Task 2 comes with or without image lists of its own; task 1's serve as well.
fs::path image_list(const fs::path& task, const std::string& split) {
  const fs::path parent = (fs::absolute(task) / "..").lexically_normal();
  for (const fs::path& folder : {task, parent / "task1", parent / "task2"}) {
    for (const char* ending : {".txt", "_images.txt", "_flickr.txt"}) {
      fs::path list = folder / "image_splits" / (split + ending);
      if (fs::is_regular_file(list)) return list;
    }
  }
  throw InputError(task / "image_splits" / (split + ".txt"), "no such image list",
                   "one file name per line, in the order of the captions");
}

std::vector<std::string> read_images(const fs::path& list, const std::string& split,
                                     ImportWriter& writer) {
  std::vector<std::string> ids;
  for_each_line(list, [&](std::string_view line, std::size_t number) {
    const std::string_view name = trimmed(line.substr(0, line.find('#')));
    ids.push_back(image_id_of_file(name));
    writer.image({ids.back(), split, std::string(name)}, {list, number});
  });
  return ids;
}

void read_captions(const CaptionFile& file, const std::vector<std::string>& images,
                   const fs::path& list, ImportWriter& writer) {
  std::size_t lines = 0;
  for_each_line(file.path, [&](std::string_view text, std::size_t number) {
    lines = number;
    if (number > images.size()) return;  // counted to the end for the message
    writer.caption(images[number - 1], file.language, text, file.source(), {file.path, number});
  });
  if (lines != images.size()) {
    throw InputError(file.path, fmt::format("{} lines", lines),
                     fmt::format("{}, as in {}", images.size(), list.string()));
  }
}

void import_task(const fs::path& task, const Multi30kOptions& options, ImportWriter& writer) {
  fs::path list;
  std::vector<std::string> images;
  for (const CaptionFile& file :
       caption_files(task / (options.tokenised ? "tok" : "raw"), writer)) {
    const fs::path wanted = image_list(task, file.split);
    if (wanted != list) {
      list = wanted;
      images = read_images(list, dataset_split(file.split), writer);
    }
    read_captions(file, images, list, writer);
  }
}

}  // namespace

void import_multi30k(const fs::path& folder, const Multi30kOptions& options, ImportWriter& writer) {
  // A clone of the collection's repository has both tasks in data/.
  const fs::path parent = fs::is_directory(folder / "data") ? folder / "data" : folder;
  bool found = false;
  for (const char* task : {"task1", "task2"}) {
    if (!fs::is_directory(parent / task)) continue;
    import_task(parent / task, options, writer);
    found = true;
  }
  if (!found) import_task(folder, options, writer);
}

}  // namespace hinny
