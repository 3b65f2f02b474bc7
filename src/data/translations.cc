#include "data/translations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/folders.h"
#include "base/lines.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// With one space for each run of white space and control characters, which `translate --pairs`
// writes as spaces.
std::string plain(std::string_view text) {
  const auto white = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7F'; };
  std::string result;
  bool parted = false;
  for (const char c : text) {
    if (white(c)) {
      parted = !result.empty();
      continue;
    }
    if (parted) result += ' ';
    parted = false;
    result += c;
  }
  return result;
}

}  // namespace

Translations Translations::read(const fs::path& folder, const std::string& from,
                                const std::string& to) {
  const std::set<std::string> known = names_of_files(folder, ".tsv");  // "de-en"
  const std::string pair = from + "-" + to;
  if (!known.contains(pair)) {
    throw InputError(folder, fmt::format("no {}.tsv", pair),
                     known.empty() ? "files such as de-en.tsv"
                                   : fmt::format("one of {}", fmt::join(known, ", ")));
  }
  Translations translations;
  translations.path_ = folder / (pair + ".tsv");
  for_each_line(translations.path_, [&](std::string_view text, std::size_t line) {
    if (plain(text).empty()) return;
    const std::size_t tab = text.find('\t');
    std::string source = plain(text.substr(0, tab));
    std::string target = tab == std::string_view::npos ? "" : plain(text.substr(tab + 1));
    if (source.empty() || target.empty()) {
      throw InputError(translations.path_, line, "no translation",
                       "a text, a tab and its translation");
    }
    translations.translations_.emplace(std::move(source), std::move(target));
  });
  return translations;
}

const std::string* Translations::find(const std::string& text) const {
  const auto found = translations_.find(plain(text));
  return found == translations_.end() ? nullptr : &found->second;
}

std::vector<std::string> translated_languages(const fs::path& folder, const std::string& to) {
  std::vector<std::string> languages;
  for (const std::string& pair : names_of_files(folder, ".tsv")) {
    if (pair.ends_with("-" + to)) languages.push_back(pair.substr(0, pair.size() - to.size() - 1));
  }
  return languages;
}

Dataset translate_captions(const Dataset& dataset, const std::string& split, const fs::path& folder,
                           const std::string& to) {
  std::vector<std::string> texts;
  for (const Caption& caption : dataset.captions()) texts.push_back(caption.text);
  for (std::size_t l = 0; l < dataset.languages().size(); ++l) {
    const std::string& language = dataset.languages()[l];
    std::vector<int> captions;
    for (const int image : dataset.split(split)) {
      const std::vector<int>& own = dataset.captions_of(image, static_cast<int>(l));
      captions.insert(captions.end(), own.begin(), own.end());
    }
    if (language == to || captions.empty()) continue;
    const Translations translations = Translations::read(folder, language, to);
    for (const int caption : captions) {
      std::string& text = texts[static_cast<std::size_t>(caption)];
      const std::string* translation = translations.find(text);
      if (translation == nullptr) {
        throw InputError(translations.path(), fmt::format("no translation of '{}'", text),
                         fmt::format("one for each {} caption of split '{}'", language, split));
      }
      text = *translation;
    }
  }
  return dataset.with_texts(std::move(texts));
}

}  // namespace hinny
