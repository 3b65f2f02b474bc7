// A tokenizer as its files describe it, before it becomes a file of Hinny's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tokenizer/step.h"

namespace hinny {

inline constexpr std::int64_t kMostPieces = std::int64_t{1} << 21U;
inline constexpr std::uint64_t kMostPieceBytes = std::uint64_t{64} << 20U;
inline constexpr std::size_t kLongestPiece = 1024;  // bytes
inline constexpr std::size_t kMostMarks = 16;

enum class PieceKind : std::uint8_t {
  normal = 1,  // numbered as SentencePiece does
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6,
};

// A text that is one piece before anything is done to it.
struct AddedToken {
  std::string text;
  std::int32_t id = 0;
  bool whole_word = false;   // only where no letters touch it
  bool takes_left = false;   // white space before it goes with it
  bool takes_right = false;  // and after it
  bool normalised = false;   // looked for in normalised text
};

enum class PieceModel {
  merges,         // byte pair encoding, by a list of pairs: the earliest goes first
  scored_pairs,   // byte pair encoding, by the pieces' scores: as SentencePiece does
  unigram,        // the pieces whose scores sum up highest
  longest_first,  // WordPiece
};

struct TokenizerParts {
  PieceModel model = PieceModel::merges;
  std::vector<std::string> pieces;                  // by id
  std::vector<double> scores;                       // none, or one for each piece
  std::vector<PieceKind> kinds;                     // the same
  std::vector<std::array<std::int32_t, 3>> merges;  // left, right, both
  std::vector<AddedToken> added;
  std::vector<Step> normalisers, splitters;
  std::string characters;  // SentencePiece's precompiled_charsmap

  std::int32_t unknown = -1;  // -1: what is unknown is left out
  bool joins_unknown = false;
  bool falls_back_to_bytes = false;
  bool whole_words_first = false;  // merges: a word that is a piece is not looked into
  bool float32_sums = false;       // unigram: as SentencePiece adds
  std::string continuing, ending;  // before pieces inside a word; behind the last one
  std::int64_t longest_word = 0;   // in letters; 0: any

  std::vector<std::int32_t> before, after;  // marks
  std::int32_t padding = -1;
};

// Appears whole. Throws InputError, naming `source`, for what does not fit together, or is too
// large: no pieces or too many, ids that no piece has, two unequal pieces of one text.
void write_tokenizer(const TokenizerParts& parts, const std::filesystem::path& source,
                     const std::filesystem::path& out);

}  // namespace hinny
