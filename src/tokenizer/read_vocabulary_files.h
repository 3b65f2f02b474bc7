// Tokenizers as lists of pieces: vocab.txt; vocab.json and merges.txt; CLIP's first list of merges.
#pragma once

#include <filesystem>
#include <string_view>

#include "tokenizer/folder_facts.h"
#include "tokenizer/tokenizer_parts.h"

namespace hinny {

// BERT's kind. Throws InputError where a special token is not among the pieces.
TokenizerParts read_vocab_txt(const std::filesystem::path& path, const FolderFacts& facts);

// Byte pairs over GPT-2's alphabet: CLIP's, where pieces end in "</w>", or RoBERTa's and GPT-2's.
// Throws InputError for merges that do not fit the vocabulary.
TokenizerParts read_vocab_json(const std::filesystem::path& vocabulary,
                               const std::filesystem::path& merges, const FolderFacts& facts);

// CLIP's merges alone, plain or gzip, from which its vocabulary follows.
TokenizerParts read_clip_merges(const std::filesystem::path& merges);

}  // namespace hinny
