#include "tokenizer/import_tokenizer.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "tokenizer/family_rules.h"
#include "tokenizer/folder_facts.h"
#include "tokenizer/read_sentencepiece_model.h"
#include "tokenizer/read_tokenizer_json.h"
#include "tokenizer/read_vocabulary_files.h"

namespace hinny {
namespace {
namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kModelNames = {"sentencepiece.bpe.model", "spiece.model",
                                                    "tokenizer.model", "sentencepiece.model"};
constexpr std::array<const char*, 3> kMergeNames = {"merges.txt", "bpe_simple_vocab_16e6.txt.gz",
                                                    "bpe_simple_vocab_16e6.txt"};

template <std::size_t size>
fs::path first_of(const fs::path& folder, const std::array<const char*, size>& names) {
  for (const char* name : names) {
    if (fs::exists(folder / name)) return folder / name;
  }
  return {};
}

TokenizerImport read_source(const FolderFacts& facts, std::string_view family, std::size_t& most) {
  const fs::path& folder = facts.tokenizer;
  TokenizerImport import;
  const auto there = [&](const char* name) {
    import.source = folder / name;
    return fs::exists(import.source);
  };
  if (there("tokenizer.json")) {
    TokenizerJson json = read_tokenizer_json(import.source);
    import.parts = std::move(json.parts);
    most = json.most;
  } else if (fs::exists(folder / "merges.txt") && there("vocab.json")) {
    import.parts = read_vocab_json(import.source, folder / "merges.txt", facts);
  } else if (there("vocab.txt")) {
    import.parts = read_vocab_txt(import.source, facts);
  } else if (import.source = first_of(folder, kModelNames); !import.source.empty()) {
    lay_out_sentencepiece(read_sentencepiece_model(import.source), family, facts, import);
  } else if (import.source = first_of(folder, kMergeNames); !import.source.empty()) {
    import.parts = read_clip_merges(import.source);
  } else {
    throw InputError(
        folder, "no tokenizer in it",
        "tokenizer.json, vocab.json and merges.txt, vocab.txt or a SentencePiece model");
  }
  import.say("tokenizer", import.source.filename().string());
  return import;
}

}  // namespace

ImportedTokenizer import_tokenizer(const fs::path& folder, std::string_view family,
                                   const TokenizerChoices& choices, const fs::path& out) {
  const FolderFacts facts = read_folder_facts(folder);
  ImportedTokenizer result;
  TokenizerImport import = read_source(facts, family, result.most);
  choose_cleaning(family, facts, choices, import);
  choose_marks(family, facts, choices, import);
  write_tokenizer(import.parts, import.source, out);
  const TokenizerParts& parts = import.parts;
  result.size = static_cast<std::int32_t>(parts.pieces.size());
  if (!parts.before.empty()) result.begin = parts.before.front();
  if (!parts.after.empty()) result.end = parts.after.back();
  result.padding = parts.padding;
  if (facts.most > 0) result.most = facts.most;
  result.chosen = std::move(import.chosen);
  return result;
}

}  // namespace hinny
