// Word vectors in memory and as text, in fastText's .vec format: docs/text.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/vocabulary.h"

namespace hinny {

// Words and a vector of `dim` finite numbers for each, in the order they were added.
class WordVectors {
 public:
  explicit WordVectors(std::size_t dim) : dim_(dim) {}

  std::size_t dim() const { return dim_; }
  std::size_t size() const { return words_.size(); }
  const std::vector<std::string>& words() const { return words_; }
  // `dim` numbers; valid until the next add().
  std::span<const float> row(std::size_t index) const;
  // All rows: [size, dim].
  std::span<const float> rows() const { return values_; }
  // Empty when the word is not there.
  std::span<const float> find(std::string_view word) const;

  // False, and nothing is added, when the word is there already. `vector` holds `dim` numbers.
  bool add(std::string_view word, std::span<const float> vector);

 private:
  std::size_t dim_;
  std::vector<std::string> words_;
  std::vector<float> values_;
  std::unordered_map<std::string, std::size_t, StringHash, std::equal_to<>> places_;
};

// Reads a .vec file (plain or gzip, with or without its "count dim" line) as a stream: only the
// words for which `wanted` is true take memory; no `wanted` takes all. InputError with the line
// for a wrong number of values, what is no finite number, a wanted word that comes twice, and a
// file with another number of words than its first line says.
WordVectors read_word_vectors(const std::filesystem::path& path,
                              const std::function<bool(std::string_view word)>& wanted = {});

// Writes "count dim", then a line per word; reading gives the same floats. Atomic.
void write_word_vectors(const std::filesystem::path& path, const WordVectors& vectors);

// A table to start training from: one row per id of a vocabulary.
struct InitialVectors {
  std::size_t dim = 0;
  std::vector<float> rows;   // [vocabulary.size(), dim]
  std::int32_t found = 0;    // words that the file has
  std::int32_t missing = 0;  // words that it lacks; the reserved ids are in neither
};

// The vocabulary's words from the first of `sources` that has them (all of one dim). Words that
// none has and the reserved ids get normal numbers with the standard deviation of the sources, by
// `seed` and id alone; kPad gets zeros. InputError when no source has any of the words.
InitialVectors initial_vectors(std::span<const WordVectors> sources, const Vocabulary& vocabulary,
                               std::uint64_t seed);
// The same from one file.
InitialVectors load_word_vectors(const std::filesystem::path& path, const Vocabulary& vocabulary,
                                 std::uint64_t seed);

}  // namespace hinny
