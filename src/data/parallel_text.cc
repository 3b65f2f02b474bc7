#include "data/parallel_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "base/folder_name.h"
#include "base/lines.h"
#include "data/dataset_path.h"
#include "text/tokenizer.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

std::string words_of(Tokenizer& tokenizer, std::string_view text) {
  return fmt::format("{}", fmt::join(tokenizer.words(text), ""));
}

// An image's captions that count, in languages with a file.
std::vector<int> candidates(const Dataset& dataset, const ParallelText& text, int image,
                            const std::vector<bool>& keep) {
  std::vector<int> found;
  for (std::size_t l = 0; l < dataset.languages().size(); ++l) {
    if (!text.has(l)) continue;
    std::ranges::copy_if(dataset.captions_of(image, static_cast<int>(l)), std::back_inserter(found),
                         [&](int caption) { return keep[static_cast<std::size_t>(caption)]; });
  }
  return found;
}

}  // namespace

std::optional<fs::path> parallel_file(const std::string& prefix, const std::string& language) {
  const fs::path whole(prefix);
  const fs::path parent = folder_of(whole);
  for (const fs::path& folder : {parent, dataset_in_root(parent.string())}) {
    if (folder.empty()) continue;
    for (const char* ending : {"", ".gz"}) {
      fs::path file = folder / fmt::format("{}.{}{}", whole.filename().string(), language, ending);
      if (fs::is_regular_file(file)) return file;
    }
  }
  return std::nullopt;
}

ParallelText ParallelText::read(const std::string& prefix,
                                const std::vector<std::string>& languages) {
  ParallelText text;
  text.languages_ = languages;
  text.lines_.resize(languages.size());
  std::vector<fs::path> files;
  std::size_t expected = 0;
  for (std::size_t l = 0; l < languages.size(); ++l) {
    const auto file = parallel_file(prefix, languages[l]);
    if (!file) continue;
    Tokenizer tokenizer(languages[l]);
    std::size_t count = 0;
    for_each_line(*file, [&](std::string_view line, std::size_t) {
      text.lines_[l][words_of(tokenizer, line)].push_back(static_cast<std::uint32_t>(count++));
    });
    if (files.empty()) expected = count;
    if (count != expected) {
      throw InputError(*file, fmt::format("{} lines", count),
                       fmt::format("{}, as {} has", expected, files.front().string()));
    }
    files.push_back(*file);
  }
  if (files.size() >= 2) return text;
  throw InputError(fmt::format("{} of the languages {} have parallel text '{}.LANGUAGE'",
                               files.size(), fmt::join(languages, ", "), prefix),
                   "two or more, plain or gzip (.gz), here or inside $HINNY_DATA");
}

std::vector<std::vector<std::uint32_t>> ParallelText::places(const Dataset& dataset) const {
  std::vector<Tokenizer> tokenizers;
  for (const std::string& language : languages_) tokenizers.emplace_back(language);
  std::vector<std::vector<std::uint32_t>> places(dataset.captions().size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Caption& caption = dataset.captions()[i];
    const auto language = static_cast<std::size_t>(caption.language);
    const auto found = lines_[language].find(words_of(tokenizers[language], caption.text));
    if (found != lines_[language].end()) places[i] = found->second;
  }
  return places;
}

std::size_t filter_parallel_captions(const Dataset& dataset, const ParallelText& text,
                                     std::span<const int> images, std::vector<bool>& keep) {
  const auto places = text.places(dataset);
  std::size_t images_found = 0;
  for (const int image : images) {
    const std::vector<int> captions = candidates(dataset, text, image, keep);
    std::map<std::uint32_t, std::set<int>> languages;  // by line
    for (const int caption : captions) {
      const auto position = static_cast<std::size_t>(caption);
      for (const std::uint32_t line : places[position]) {
        languages[line].insert(dataset.captions()[position].language);
      }
    }
    const auto best = std::ranges::max_element(languages, {},
                                               [](const auto& line) { return line.second.size(); });
    const bool any = best != languages.end() && best->second.size() >= 2;
    images_found += any ? 1 : 0;
    for (const int caption : captions) {
      const auto& own = places[static_cast<std::size_t>(caption)];
      if (any && std::ranges::find(own, best->first) != own.end()) continue;
      keep[static_cast<std::size_t>(caption)] = false;
    }
  }
  return images_found;
}

}  // namespace hinny
