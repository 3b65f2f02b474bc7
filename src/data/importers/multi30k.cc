#include "data/importers/multi30k.h"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
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
  fs::path list;  // of its images

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

// Endings of languages' form that are other things beside captions.
constexpr std::array<std::string_view, 22> kNoLanguages{
    "txt", "bak", "old", "tmp", "log", "tar", "zip", "org", "orig", "md",  "sh",
    "py",  "csv", "tsv", "swp", "ids", "npy", "md5", "pdf", "sum",  "rej", "html"};

// "en", "pt-BR", "zh_CN", "deu_Latn".
bool looks_like_language(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const std::size_t end = std::min(text.find_first_of("-_"), text.size());
  if (end < 2 || end > 3 || !std::all_of(text.begin(), text.begin() + end, letter)) return false;
  const auto in_tag = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return std::ranges::all_of(text, in_tag) && text.back() != '-' && text.back() != '_' &&
         std::ranges::find(kNoLanguages, text) == kNoLanguages.end();
}

// A language that ICU has a name for.
bool known_language(const std::string& code) {
  const std::string subtag = code.substr(0, code.find_first_of("-_"));
  const icu::Locale locale(subtag.c_str());
  icu::UnicodeString name;
  locale.getDisplayLanguage(icu::Locale::getEnglish(), name);
  return !name.isEmpty() && name != icu::UnicodeString::fromUTF8(locale.getLanguage());
}

// train.en.gz, train.1.de.gz, val.lc.norm.tok.fr, test_2016.lc.norm.tok.5.en
std::optional<CaptionFile> caption_file(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.starts_with('.') || name.ends_with('~') || !fs::is_regular_file(path)) return {};
  std::vector<std::string> parts = parts_of(name);
  if (parts.back() == "gz") parts.pop_back();
  if (parts.size() < 2 || parts[0].empty() || !looks_like_language(parts.back())) return {};
  CaptionFile file{path, parts.front(), "", parts.back(), {}};
  std::ranges::replace(file.language, '_', '-');
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

// Whether a file without an image list must be one of captions: of a name that only a split has, in
// a language. Otherwise it is something that lies beside them.
bool surely_captions(const CaptionFile& file) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  const bool split = std::ranges::any_of(std::array{"train", "val", "test", "dev"},
                                         [&](auto* name) { return file.split.starts_with(name); });
  return split && std::ranges::all_of(file.split, plain) && known_language(file.language);
}

std::string dataset_split(const std::string& name) {
  return name == "test_2016" || name == "test_2016_flickr" ? "test" : name;
}

// Task 2 comes with or without image lists of its own; task 1's serve as well.
std::optional<fs::path> image_list(const fs::path& task, const std::string& split) {
  const fs::path parent = (fs::absolute(task) / "..").lexically_normal();
  for (const fs::path& folder : {task, parent / "task1", parent / "task2"}) {
    for (const char* ending : {".txt", "_images.txt", "_flickr.txt"}) {
      fs::path list = folder / "image_splits" / (split + ending);
      if (fs::is_regular_file(list)) return list;
    }
  }
  return {};
}

bool same_length(const fs::path& file, const fs::path& list) {
  const auto lines_of = [](const fs::path& path) {
    std::size_t lines = 0;
    for_each_line(path, [&](std::string_view, std::size_t number) { lines = number; });
    return lines;
  };
  try {
    return lines_of(file) == lines_of(list);
  } catch (const InputError&) {  // no text
    return false;
  }
}

// Captions are what has an image list of its name, and in a language of nobody's its length.
std::optional<CaptionFile> with_list(const fs::path& path, const fs::path& task) {
  auto file = caption_file(path);
  if (!file) return {};
  if (const auto list = image_list(task, file->split)) {
    file->list = *list;
    if (known_language(file->language) || same_length(path, *list)) return file;
    return {};
  }
  if (!surely_captions(*file)) return {};
  throw InputError(task / "image_splits" / (file->split + ".txt"),
                   fmt::format("no such image list, for {}", path.filename().string()),
                   "one file name per line, in the order of the captions");
}

std::vector<CaptionFile> caption_files(const fs::path& task, const fs::path& folder,
                                       ImportWriter& writer) {
  if (!fs::is_directory(folder)) {
    throw InputError(folder, "no such folder", "Multi30K's folder of captions");
  }
  std::vector<CaptionFile> files;
  const auto same = [](const CaptionFile& a, const CaptionFile& b) {
    return a.split == b.split && a.number == b.number && a.language == b.language;
  };
  for (const auto& entry : entries_in(folder)) {
    const fs::path& path = entry.path();
    const auto file = with_list(path, task);
    if (!file) {
      writer.leave_alone(path);
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
       caption_files(task, task / (options.tokenised ? "tok" : "raw"), writer)) {
    if (file.list != list) {
      list = file.list;
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
