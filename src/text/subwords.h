// Words <-> pieces by byte pair encoding (Sennrich, Haddow and Birch, ACL 2016,
// https://arxiv.org/abs/1508.07909), with the files and the marks of subword-nmt.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/subword_learning.h"
#include "text/vocabulary.h"

namespace hinny {

// Ends a piece whose word goes on: "lower" may be {"low@@", "er"}.
inline constexpr std::string_view kGoesOn = "@@";

// Safe to share between threads.
class Subwords {
 public:
  Subwords() = default;  // no merges: pieces are characters

  // Learns as subword-nmt does, as learn_merges says; a merge that it would list twice is here
  // once.
  static Subwords learn(const WordCounts& counts, std::int64_t merges, std::int64_t min_count = 2);

  // A codes file of subword-nmt, version 0.2; plain or gzip. Throws InputError with the line for
  // what is none, a merge that comes twice, or more than 10 million of them.
  static Subwords read(const std::filesystem::path& path);
  // The file appears whole or not at all; throws Failure.
  void write(const std::filesystem::path& path) const;

  // The pieces of a word without white space, marked but for the last one; none for "". Any word
  // comes back from words_of_pieces: the last of several "@" at its end is a piece of its own, so
  // that an unmarked piece never looks marked. Time n log n in its length.
  std::vector<std::string> pieces(std::string_view word) const;

  const std::vector<SubwordMerge>& merges() const { return merges_; }

 private:
  struct Joined {
    std::size_t rank;
    std::int32_t symbol;
  };
  // False when it is there already.
  bool add(SubwordMerge merge);

  std::vector<SubwordMerge> merges_;  // the first goes first
  SymbolTable symbols_;
  std::unordered_map<std::uint64_t, Joined> joined_;  // by symbol_pair
};

// Glues marked pieces to those after them. Takes any pieces, a model's too: a mark with nothing
// after it is dropped, and so is an empty word.
std::vector<std::string> words_of_pieces(std::span<const std::string> pieces);

}  // namespace hinny
