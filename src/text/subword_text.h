// Texts <-> ids of subwords, with one vocabulary for all languages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/beam.h"
#include "text/joined_words.h"
#include "text/subwords.h"
#include "text/vocabulary.h"

namespace hinny {

// RUN/subwords.txt beside vocabulary.tsv.
inline constexpr std::string_view kSubwordsFile = "subwords.txt";

// Not safe for concurrent use: one per thread.
class SubwordText {
 public:
  // Merges and vocabulary from these texts by language, which have to be the training's.
  static SubwordText learn(const std::map<std::string, std::vector<std::string>>& texts,
                           std::int64_t merges);
  // Throws InputError for what does not fit together.
  static SubwordText read(const std::filesystem::path& run);
  void write(const std::filesystem::path& run) const;

  // A source begins with a mark of the language that it is translated into (Johnson et al. 2017);
  // both end with kEnd. Subwords that training has not seen are kUnknown.
  std::vector<std::int32_t> source(std::string_view text, const std::string& from,
                                   const std::string& to);
  std::vector<std::int32_t> target(std::string_view text, const std::string& to);

  // One text of the ids before kEnd. `copies`: for each id that is kUnknown, the word to write.
  std::string text(const std::vector<std::int32_t>& ids,
                   const std::map<std::size_t, std::string>& copies = {}) const;
  // The word, its pieces together, that place `place` of a source's ids lies in; "" for a mark.
  std::string word_at(const std::vector<std::int32_t>& source, std::string_view text,
                      const std::string& from, std::size_t place);

  // What a translation of `sentence`, whose ids are `source`, says: a subword that is unknown
  // becomes the word that was looked at (Luong et al. 2015, "Addressing the rare word problem").
  // `before`: what else was looked at stands before the source's ids.
  std::string written(const Hypothesis& translation, const std::vector<std::int32_t>& source,
                      std::string_view sentence, const std::string& from, std::int32_t before = 0);
  // Of a source without words: the language that it is translated into, and the end.
  static constexpr std::size_t kMarks = 2;

  std::int32_t vocabulary_size() const { return vocabulary_.size(); }
  // Ids that no translation holds: marks of languages and reserved ones but kEnd and kUnknown.
  std::vector<std::int32_t> never_written() const;

 private:
  std::vector<std::string> pieces(std::string_view text, const std::string& language);
  JoinedWords& words_of(const std::string& language);

  Subwords subwords_;
  Vocabulary vocabulary_;
  std::map<std::string, JoinedWords> words_;
};

}  // namespace hinny
