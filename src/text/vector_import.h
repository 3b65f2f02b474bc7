// Vectors for a vocabulary's words out of a file of millions: fastText .vec or .bin.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "text/vocabulary.h"
#include "text/word_vectors.h"

namespace hinny {

struct ImportedVectors {
  WordVectors vectors;        // in the vocabulary's order; words without a vector are left out
  std::size_t by_ngrams = 0;  // of them, those that the file lacks: from their n-grams (.bin)
  std::size_t broken = 0;     // words of the file that are not UTF-8
};

// Memory grows with the vocabulary, not with the file. A word of the file stands for the
// vocabulary's word that it becomes when normalised for `language`; of several ("hund", "Hund")
// the first counts, which is the most frequent in fastText's files. The kind of file is told by
// its content. Throws InputError for a damaged file, and when no word is found.
ImportedVectors import_word_vectors(const std::filesystem::path& path, const std::string& language,
                                    const Vocabulary& wanted);

}  // namespace hinny
