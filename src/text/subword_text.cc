#include "text/subword_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/run_files.h"

namespace hinny {
namespace {

constexpr std::string_view kMark = "<2";  // of a language; no piece holds '<' beside another sign

std::string mark_of(const std::string& language) { return fmt::format("{}{}>", kMark, language); }

}  // namespace

JoinedWords& SubwordText::words_of(const std::string& language) {
  const auto found = words_.find(language);
  if (found != words_.end()) return found->second;
  return words_.emplace(language, JoinedWords(language)).first->second;
}

SubwordText SubwordText::learn(const std::map<std::string, std::vector<std::string>>& texts,
                               std::int64_t merges) {
  SubwordText result;
  WordCounts words;
  for (const auto& [language, lines] : texts) {
    for (const std::string& line : lines) {
      for (std::string& word : result.words_of(language).split(line)) ++words[std::move(word)];
    }
  }
  result.subwords_ = Subwords::learn(words, merges);
  WordCounts pieces;
  for (const auto& [word, count] : words) {
    for (std::string& piece : result.subwords_.pieces(word)) pieces[std::move(piece)] += count;
  }
  // A piece seen once in all teaches nothing: it stands for the unknown.
  result.vocabulary_ = Vocabulary::build(pieces, 2);
  for (const auto& [language, lines] : texts) result.vocabulary_.add(mark_of(language), 0);
  return result;
}

SubwordText SubwordText::read(const std::filesystem::path& run) {
  SubwordText result;
  result.subwords_ = Subwords::read(run / kSubwordsFile);
  Vocabularies vocabularies = read_vocabularies(run / kVocabularyFile);
  const auto shared = vocabularies.find(kSharedVocabulary);
  if (shared == vocabularies.end()) {
    throw InputError(run / kVocabularyFile, "no vocabulary 'shared'", "a translation model's");
  }
  result.vocabulary_ = std::move(shared->second);
  return result;
}

void SubwordText::write(const std::filesystem::path& run) const {
  subwords_.write(run / kSubwordsFile);
  write_vocabularies(run / kVocabularyFile, {{kSharedVocabulary, vocabulary_}});
}

std::vector<std::string> SubwordText::pieces(std::string_view text, const std::string& language) {
  std::vector<std::string> result;
  for (const std::string& word : words_of(language).split(text)) {
    for (std::string& piece : subwords_.pieces(word)) result.push_back(std::move(piece));
  }
  return result;
}

std::vector<std::int32_t> SubwordText::target(std::string_view text, const std::string& to) {
  std::vector<std::int32_t> ids;
  for (const std::string& piece : pieces(text, to)) ids.push_back(vocabulary_.id(piece));
  ids.push_back(kEnd);
  return ids;
}

std::vector<std::int32_t> SubwordText::source(std::string_view text, const std::string& from,
                                              const std::string& to) {
  std::vector<std::int32_t> ids = target(text, from);
  ids.insert(ids.begin(), vocabulary_.id(mark_of(to)));
  return ids;
}

std::string SubwordText::text(const std::vector<std::int32_t>& ids,
                              const std::map<std::size_t, std::string>& copies) const {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < ids.size() && ids[i] != kEnd; ++i) {
    const auto copy = copies.find(i);
    if (copy != copies.end()) {
      result.push_back(copy->second);
    } else if (ids[i] >= kFirstWord) {
      result.push_back(vocabulary_.word(ids[i]));
    }
  }
  return JoinedWords::join(words_of_pieces(result));
}

std::string SubwordText::word_at(const std::vector<std::int32_t>& source, std::string_view text,
                                 const std::string& from, std::size_t place) {
  if (place == 0 || place + 1 >= source.size()) return {};
  const std::vector<std::string> all = pieces(text, from);
  const auto goes_on = [&](std::size_t i) { return all[i].ends_with(kGoesOn); };
  std::size_t first = place - 1, last = place - 1;  // without the language's mark
  while (first > 0 && goes_on(first - 1)) --first;
  while (last + 1 < all.size() && goes_on(last)) ++last;
  const auto words = words_of_pieces(std::span(all).subspan(first, last - first + 1));
  return words.empty() ? std::string() : words.front();
}

std::string SubwordText::written(const Hypothesis& translation,
                                 const std::vector<std::int32_t>& source, std::string_view sentence,
                                 const std::string& from, std::int32_t before) {
  std::map<std::size_t, std::string> copies;
  for (std::size_t i = 0; i < translation.ids.size(); ++i) {
    if (translation.ids[i] != kUnknown) continue;
    const auto place = std::max(translation.attended[i] - before, 0);
    copies[i] = word_at(source, sentence, from, static_cast<std::size_t>(place));
  }
  return text(translation.ids, copies);
}

std::vector<std::int32_t> SubwordText::never_written() const {
  std::vector<std::int32_t> ids = {kPad, kStart};
  for (std::int32_t id = kFirstWord; id < vocabulary_.size(); ++id) {
    const std::string& word = vocabulary_.word(id);
    if (vocabulary_.count(id) == 0 && word.starts_with(kMark)) ids.push_back(id);
  }
  return ids;
}

}  // namespace hinny
