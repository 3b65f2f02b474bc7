// What families of models do with text that their tokenizers' files do not say, or say otherwise.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/folder_facts.h"
#include "tokenizer/import_tokenizer.h"
#include "tokenizer/read_sentencepiece_model.h"
#include "tokenizer/tokenizer_parts.h"

namespace hinny {

// A tokenizer on its way from a folder to a file.
struct TokenizerImport {
  TokenizerParts parts;
  std::filesystem::path source;  // the file that its pieces come from
  std::vector<std::string> chosen;

  // The id of a piece; -1: none has this text.
  std::int32_t id_of(std::string_view text) const;
  std::int32_t required(std::string_view text) const;  // throws InputError
  void say(std::string what, std::string_view why);
};

// A SentencePiece model's ids and marks, as the family has them.
void lay_out_sentencepiece(SentencePieceModel model, std::string_view family,
                           const FolderFacts& facts, TokenizerImport& import);
// Cleaning, lower case, punctuation.
void choose_cleaning(std::string_view family, const FolderFacts& facts,
                     const TokenizerChoices& choices, TokenizerImport& import);
// Marks and padding.
void choose_marks(std::string_view family, const FolderFacts& facts,
                  const TokenizerChoices& choices, TokenizerImport& import);

}  // namespace hinny
