#include "data/importers/mule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"
#include "data/importers/names.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

struct Split {
  std::string file;  // as its files begin
  std::string name;
  std::map<std::string, fs::path> texts;  // by language
  bool has_features = false;
};

std::vector<Split> splits_in(const fs::path& folder, ImportWriter& writer) {
  if (!fs::is_directory(folder)) throw InputError(folder, "no such folder", "a folder of *.ids");
  const std::vector<fs::directory_entry> entries = entries_in(folder);
  std::map<std::string, Split> found;
  for (const auto& entry : entries) {
    const fs::path& path = entry.path();
    const std::string stem = path.stem().string();
    if (path.extension() == ".ids" && !stem.starts_with('.'))
      found[stem] = {stem, stem == "dev" ? "val" : stem, {}, false};
  }
  if (found.empty()) throw InputError(folder, "no *.ids", "train.ids, train.de.tok and so on");
  for (const auto& entry : entries) {
    const fs::path& path = entry.path();
    const fs::path stem = path.stem();
    if (found.contains(stem.string()) &&
        (path.extension() == ".ids" || path.extension() == ".npy")) {
      continue;
    }
    const std::string language = stem.extension().string();
    if (path.extension() == ".tok" && !language.empty() && found.contains(stem.stem().string())) {
      found[stem.stem().string()].texts[language.substr(1)] = path;
    } else {
      writer.leave_alone(path);
    }
  }
  std::vector<Split> splits;
  for (auto& [file, split] : found) {
    split.has_features = fs::exists(folder / (file + ".npy"));
    splits.push_back(std::move(split));
  }
  std::sort(splits.begin(), splits.end(),
            [](const Split& a, const Split& b) { return split_before(a.name, b.name); });
  return splits;
}

std::vector<std::string> read_ids(const fs::path& path, const std::string& split,
                                  ImportWriter& writer) {
  std::vector<std::string> ids;
  for_each_line(path, [&](std::string_view line, std::size_t number) {
    ids.emplace_back(trimmed_id(line));
    if (writer.has(ids.back())) {
      throw InputError(path, number, fmt::format("image '{}' for the second time", ids.back()),
                       "each image once");
    }
    writer.image({ids.back(), split, ""}, {path, number});
  });
  return ids;
}

// "1000268201#0<TAB>a child in a pink dress"
void read_texts(const fs::path& path, const std::string& language, ImportWriter& writer) {
  for_each_line(path, [&](std::string_view line, std::size_t number) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      throw InputError(path, number, "no tab", "an image's id, a tab, the words");
    }
    const std::string_view key = trimmed_id(line.substr(0, tab));
    std::string id(key);
    if (!writer.has(id)) id = key.substr(0, key.rfind('#'));  // the caption's number
    writer.caption(id, language, line.substr(tab + 1), Source::human_original, {path, number});
  });
}

}  // namespace

void import_mule(const fs::path& folder, const MuleOptions& options, ImportWriter& writer) {
  FeatureImport features(options.features, writer);
  const std::vector<Split> splits = splits_in(folder, writer);
  const bool with_features = std::any_of(splits.begin(), splits.end(),
                                         [](const Split& split) { return split.has_features; });
  for (const Split& split : splits) {
    const auto ids = read_ids(folder / (split.file + ".ids"), split.name, writer);
    for (const auto& [language, path] : split.texts) read_texts(path, language, writer);
    if (with_features) features.add(folder / (split.file + ".npy"), ids, 1);
  }
  features.commit();
}

}  // namespace hinny
