#include "text/dictionary.h"

#include "base/error.h"
#include "base/lines.h"
#include "text/tokenizer.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

fs::path file_of(const fs::path& folder, const std::string& from, const std::string& to) {
  return folder / (from + "-" + to + ".tsv");
}

}  // namespace

bool Dictionary::there(const fs::path& folder, const std::string& from, const std::string& to) {
  return fs::exists(file_of(folder, from, to));
}

Dictionary Dictionary::read(const fs::path& folder, const std::string& from,
                            const std::string& to) {
  const fs::path file = file_of(folder, from, to);
  Tokenizer source(from), target(to);
  Dictionary dictionary;
  for_each_line(file, [&](std::string_view text, std::size_t line) {
    if (text.empty()) return;
    const std::size_t tab = text.find('\t');
    if (tab == std::string_view::npos) {
      throw InputError(file, line, "no tab", "a word, a tab and its translation");
    }
    const auto word = source.words(text.substr(0, tab));
    const auto translation = target.words(text.substr(tab + 1));
    if (word.size() != 1 || translation.size() != 1) return;
    dictionary.entries_[word[0]].push_back(translation[0]);
  });
  if (dictionary.entries_.empty()) {
    throw InputError(file, "no pair of words", "lines of a word, a tab and a word");
  }
  return dictionary;
}

const std::vector<std::string>& Dictionary::find(const std::string& word) const {
  static const std::vector<std::string> none;
  const auto found = entries_.find(word);
  return found == entries_.end() ? none : found->second;
}

}  // namespace hinny
