#include "data/importers/parallel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/lines.h"
#include "base/unpacked_file.h"
#include "data/importers/jsonl.h"
#include "data/importers/names.h"
#include "data/importers/tmx.h"
#include "data/parallel_text.h"
#include "text/language_code.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using Texts = std::vector<ImportWriter::Text>;
constexpr const char* kPassedOver = "_";
constexpr std::array<std::string_view, 4> kEndings{".gz", ".tmx", ".tsv", ".txt"};

// One source's sentences, numbered, into the dataset.
class Sentences {
 public:
  Sentences(const ParallelSource& source, const ParallelOptions& options, ImportWriter& writer)
      : name_(source.path.filename().string()),
        split_(source.split),
        options_(options),
        writer_(writer) {
    for (const std::string_view ending : kEndings) {
      if (name_.ends_with(ending)) name_.resize(name_.size() - ending.size());
    }
    if (split_.empty() && !options.shares) split_ = split_in_name();
    if (split_.empty() && !options.shares) {
      throw InputError(source.path, "its name tells no split",
                       "--split train, or --split-by 98/1/1 to divide it");
    }
  }

  const std::string& name() const { return name_; }
  bool any() const { return any_; }

  void add(Texts texts, const Place& place) {
    ++number_;
    for (ImportWriter::Text& text : texts) text.text = trimmed(text.text);
    const std::string first = texts.empty() ? "" : texts.front().text;
    std::erase_if(texts, [](const ImportWriter::Text& text) { return text.text.empty(); });
    if (texts.size() < 2) {
      return writer_.skip("a sentence in fewer than two languages", place.text());
    }
    any_ = true;
    const std::string split = split_.empty() ? split_by_hash(first, *options_.shares) : split_;
    writer_.whole({fmt::format("{}-{}", name_, number_), split, ""}, texts,
                  Source::human_translation, place);
  }

 private:
  std::string split_in_name() const {
    for (const auto& [part, split] :
         {std::pair{"train", "train"}, {"val", "val"}, {"dev", "val"}, {"test", "test"}}) {
      if (name_.find(part) != std::string::npos) return split;
    }
    return "";
  }

  std::string name_;
  std::string split_;
  const ParallelOptions& options_;
  ImportWriter& writer_;
  std::size_t number_ = 0;
  bool any_ = false;
};

std::vector<std::string> languages_of(const ParallelOptions& options, const fs::path& source) {
  const auto real = std::ranges::count_if(
      options.languages, [](const std::string& language) { return language != kPassedOver; });
  if (real < 2) {
    throw InputError(source, "without two languages for its files or columns",
                     "--languages en,de, in their order");
  }
  return options.languages;
}

// PREFIX.en, PREFIX.de and so on, line by line.
void read_aligned(const ParallelSource& source, const ParallelOptions& options,
                  Sentences& sentences) {
  const std::vector<std::string> languages = languages_of(options, source.path);
  std::vector<fs::path> files;
  std::vector<LineReader> readers;
  const std::string name = source.path.string();
  if (std::ranges::any_of(kEndings, [&](auto ending) { return name.ends_with(ending); })) {
    throw InputError(source.path, "no such file", "a TMX file or a table of tabs");
  }
  for (const std::string& language : languages) {
    const auto file = parallel_file(name, language);
    if (!file) {
      throw InputError(fs::path(fmt::format("{}.{}", name, language)), "no such file",
                       "a line for each sentence, plain or gzip (.gz)");
    }
    files.push_back(*file);
    readers.emplace_back(*file);
  }
  for (std::size_t number = 1;; ++number) {
    Texts texts;
    std::optional<std::size_t> ended, goes_on;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto line = readers[i].next();
      (line ? goes_on : ended) = i;
      if (line) texts.push_back({languages[i], std::string(*line)});
    }
    if (!goes_on) return;
    if (ended) {
      throw InputError(files[*ended], number, "the file ends before this line",
                       fmt::format("as many lines as {} has", files[*goes_on].string()));
    }
    sentences.add(std::move(texts), {files.front(), number});
  }
}

void read_table(const ParallelSource& source, const ParallelOptions& options,
                Sentences& sentences) {
  const std::vector<std::string> languages = languages_of(options, source.path);
  for_each_line(source.path, [&](std::string_view line, std::size_t number) {
    if (trimmed(line).empty()) return;
    Texts texts;
    std::string_view rest = line;
    for (std::size_t i = 0; i < languages.size(); ++i) {
      const std::size_t tab = rest.find('\t');
      if (languages[i] != kPassedOver)
        texts.push_back({languages[i], std::string(rest.substr(0, tab))});
      if (tab == std::string_view::npos && i + 1 < languages.size()) {
        throw InputError(source.path, number, fmt::format("{} column{}", i + 1, i == 0 ? "" : "s"),
                         fmt::format("{} parted by tabs: {}; for files x.en and x.de give x",
                                     languages.size(), fmt::join(languages, ", ")));
      }
      rest.remove_prefix(tab == std::string_view::npos ? rest.size() : tab + 1);
    }
    const bool header =
        number == 1 && std::ranges::all_of(texts, [](const ImportWriter::Text& text) {
          return canonical_language(trimmed(text.text)) == canonical_language(text.language);
        });
    if (!header) sentences.add(std::move(texts), {source.path, number});
  });
}

void read_tmx(const ParallelSource& source, const ParallelOptions& options, Sentences& sentences,
              ImportWriter& writer) {
  std::map<std::string, std::optional<std::string>> chosen;  // by the file's code
  for_each_unit(source.path, [&](const Texts& unit, const Place& place) {
    Texts texts;
    for (const ImportWriter::Text& text : unit) {
      const auto [found, is_new] = chosen.try_emplace(text.language, text.language);
      if (is_new && !options.languages.empty()) {
        found->second = find_language(options.languages, text.language);
      }
      if (!found->second) continue;
      const std::string& language = *found->second;
      if (std::ranges::find(texts, language, &ImportWriter::Text::language) != texts.end()) {
        writer.skip("another text in the same language", place.text());
      } else {
        texts.push_back({language, text.text});
      }
    }
    // In the order of --languages, as from other files.
    std::ranges::stable_sort(texts, {}, [&](const ImportWriter::Text& text) {
      return std::ranges::find(options.languages, text.language) - options.languages.begin();
    });
    sentences.add(std::move(texts), place);
  });
  if (sentences.any()) return;
  std::vector<std::string> codes;
  for (const auto& [code, language] : chosen) codes.push_back(code);
  throw InputError(
      source.path,
      fmt::format("texts in {}",
                  codes.empty() ? "no language" : fmt::format("{}", fmt::join(codes, ", "))),
      options.languages.empty() ? "two languages of the same sentence"
                                : fmt::format("two of {}", fmt::join(options.languages, ", ")));
}

bool is_tmx(const fs::path& file) {
  std::string start(256, '\0');
  UnpackedFile unpacked(file);
  start.resize(unpacked.read(start.data(), start.size()));
  return is_xml(start);
}

}  // namespace

void import_parallel(const std::vector<ParallelSource>& sources, const ParallelOptions& options,
                     ImportWriter& writer) {
  for (const std::string& language : options.languages) {
    if (language == kPassedOver || is_language_code(language)) continue;
    throw InputError(fmt::format("--languages: '{}'", language), kLanguageCodeRule);
  }
  std::set<std::string> names;
  for (const ParallelSource& source : sources) {
    Sentences sentences(source, options, writer);
    if (!names.insert(sentences.name()).second) {
      throw InputError(source.path, fmt::format("a second source called '{}'", sentences.name()),
                       "another name: ids are made of it");
    }
    if (fs::is_directory(source.path)) {
      throw InputError(source.path, "a folder", "a TMX or TSV file, or the PREFIX of PREFIX.en");
    }
    if (!fs::exists(source.path)) {
      read_aligned(source, options, sentences);
    } else if (is_tmx(source.path)) {
      read_tmx(source, options, sentences, writer);
    } else {
      read_table(source, options, sentences);
    }
  }
}

}  // namespace hinny
