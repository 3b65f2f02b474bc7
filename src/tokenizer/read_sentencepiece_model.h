// SentencePiece's model files (sentencepiece_model.proto).
#pragma once

#include <cstdint>
#include <filesystem>

#include "tokenizer/tokenizer_parts.h"

namespace hinny {

struct SentencePieceModel {
  TokenizerParts parts;                             // without marks; ids as SentencePiece has them
  std::int32_t begin = -1, end = -1, padding = -1;  // -1: it has none
};

// Throws InputError for what is no such file, broken, too large, or of a kind that is not known:
// words or characters instead of unigram or byte pairs.
SentencePieceModel read_sentencepiece_model(const std::filesystem::path& path);

}  // namespace hinny
