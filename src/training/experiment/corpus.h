// A dataset's captions as word ids.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "recipe/system_options.h"
#include "text/vocabulary.h"

namespace hinny {

// Every caption of the dataset, tokenised once. Words carry numbers of this object's own until a
// vocabulary is applied.
class TokenisedCaptions {
 public:
  // Uses all threads; the result does not depend on how many.
  // `read_as`: the language that every caption is in, whatever the dataset says; empty: as it says.
  // `known`: words of these vocabularies are read as a question's are, however their letters are
  // typed (text/word_reader.h). Training does without: what is rare there is unknown.
  TokenisedCaptions(const Dataset& dataset, const TextSettings& settings,
                    const std::string& read_as = {}, const Vocabularies* known = nullptr);

  // How often the captions of `images` (the training split alone) say each word, by vocabulary: one
  // per language under its code, or one for all.
  std::map<std::string, WordCounts> count_words(const std::vector<int>& images) const;
  // Adds every word of the captions that the vocabulary lacks, for models that spell words.
  void add_words(Vocabulary& vocabulary) const;

 private:
  friend class Corpus;
  const Dataset* dataset_;
  TextSettings settings_;
  std::vector<std::string> languages_;  // what each of the dataset's is read as
  std::vector<std::string> words_;      // each distinct (language's) word
  std::vector<std::int32_t> tokens_;    // all captions end to end: positions in words_
  std::vector<std::int64_t> starts_;    // [captions + 1]
};

// Captions as ids, ready for a system: unknown words dropped or replaced, markers added, never
// empty (a caption with no word left is the unknown id alone, without markers).
class Corpus {
 public:
  Corpus(const TokenisedCaptions& captions, const Vocabularies& vocabularies);

  std::span<const std::int32_t> caption(int position) const {
    const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(position)]);
    const auto end = static_cast<std::size_t>(starts_[static_cast<std::size_t>(position) + 1]);
    return std::span(ids_).subspan(begin, end - begin);
  }
  // Whether a machine translated it.
  bool by_machine(int position) const { return by_machine_[static_cast<std::size_t>(position)]; }

 private:
  std::vector<std::int32_t> ids_;
  std::vector<std::int64_t> starts_;
  std::vector<bool> by_machine_;
};

// Of the words that were counted those seen text.min_count times. Throws InputError when a
// vocabulary is left without words.
Vocabularies build_vocabularies(const std::map<std::string, WordCounts>& counts,
                                const TextSettings& settings);

// The name of a language's vocabulary under these settings.
std::string vocabulary_name(const TextSettings& settings, const std::string& language);

}  // namespace hinny
