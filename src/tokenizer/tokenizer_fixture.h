// Small made-up tokenizers for tests, as files of the kinds that people download.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "tests/scratch.h"
#include "tokenizer/import_tokenizer.h"
#include "tokenizer/subword_tokenizer.h"

namespace hinny {

// A folder with files, and what Hinny makes of it.
class TokenizerFolder {
 public:
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file(folder_ / name, content);
  }
  template <typename Json>
  void write(const std::string& name,
             const Json& json) const requires std::is_same_v<Json, nlohmann::json> {
    write(name, json.dump());
  }
  SubwordTokenizer import(std::string_view family = "", const TokenizerChoices& choices = {}) {
    imported = import_tokenizer(folder_, family, choices, file());
    return SubwordTokenizer::open(file());
  }
  std::filesystem::path file() const { return folder_ / "out.safetensors"; }
  std::filesystem::path path() const { return folder_; }

  ImportedTokenizer imported;  // by the last import()

 private:
  Scratch folder_;
};

// Without waiting for the disk, for what writes many.
inline void write_quickly(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
}

inline std::vector<std::string> pieces_of(const SubwordTokenizer& tokenizer, std::string_view text,
                                          std::size_t most = 1000) {
  std::vector<std::string> pieces;
  for (const auto id : tokenizer.ids(text, most)) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

inline nlohmann::json added_token(int id, const std::string& content) {
  return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", true}};
}

// "content" as the only pieces before and after a text.
inline nlohmann::json template_of(const std::string& before, int before_id,
                                  const std::string& after, int after_id) {
  using nlohmann::json;
  const auto special = [](const std::string& id) {
    return json{{"SpecialToken", {{"id", id}, {"type_id", 0}}}};
  };
  const auto ids = [](const std::string& text, int id) {
    return json{{"id", text}, {"ids", {id}}, {"tokens", {text}}};
  };
  const json sequence = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  return {{"type", "TemplateProcessing"},
          {"single", json::array({special(before), sequence, special(after)})},
          {"special_tokens", {{before, ids(before, before_id)}, {after, ids(after, after_id)}}}};
}

// WordPiece: [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3 and these.
inline nlohmann::json word_pieces(const std::vector<std::string>& pieces) {
  nlohmann::json vocabulary = {{"[PAD]", 0}, {"[UNK]", 1}, {"[CLS]", 2}, {"[SEP]", 3}};
  int next = 4;
  for (const std::string& piece : pieces) vocabulary[piece] = next++;
  return {{"added_tokens",
           {added_token(0, "[PAD]"), added_token(1, "[UNK]"), added_token(2, "[CLS]"),
            added_token(3, "[SEP]")}},
          {"normalizer", {{"type", "BertNormalizer"}, {"lowercase", true}}},
          {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
          {"post_processor", template_of("[CLS]", 2, "[SEP]", 3)},
          {"model",
           {{"type", "WordPiece"},
            {"unk_token", "[UNK]"},
            {"continuing_subword_prefix", "##"},
            {"max_input_chars_per_word", 20},
            {"vocab", vocabulary}}}};
}

// Unigram as XLM-R has it: <s> 0, <pad> 1, </s> 2, <unk> 3 and these.
inline nlohmann::json unigram(const std::vector<std::pair<std::string, double>>& pieces) {
  using nlohmann::json;
  json vocabulary = json::array();
  for (const char* name : {"<s>", "<pad>", "</s>", "<unk>"}) {
    vocabulary.push_back(json::array({name, 0.0}));
  }
  for (const auto& [piece, score] : pieces) vocabulary.push_back(json::array({piece, score}));
  return {{"added_tokens",
           {added_token(0, "<s>"), added_token(1, "<pad>"), added_token(2, "</s>"),
            added_token(3, "<unk>")}},
          {"normalizer", nullptr},
          {"pre_tokenizer",
           {{"type", "Metaspace"}, {"replacement", "\u2581"}, {"add_prefix_space", true}}},
          {"post_processor", template_of("<s>", 0, "</s>", 2)},
          {"model", {{"type", "Unigram"}, {"unk_id", 3}, {"vocab", vocabulary}}}};
}

// Byte pairs with spaces as "▁" and bytes for what is unknown, as Gemma has them: <pad> 0, <eos> 1,
// <bos> 2, <unk> 3, the bytes from 4, then these and what they merge into.
inline nlohmann::json byte_pairs(const std::vector<std::string>& letters,
                                 const std::vector<std::pair<std::string, std::string>>& merges) {
  using nlohmann::json;
  json vocabulary = {{"<pad>", 0}, {"<eos>", 1}, {"<bos>", 2}, {"<unk>", 3}};
  int next = 4;
  for (int byte = 0; byte < 256; ++byte) vocabulary[fmt::format("<0x{:02X}>", byte)] = next++;
  for (const std::string& letter : letters) vocabulary[letter] = next++;
  json list = json::array();
  for (const auto& [left, right] : merges) {
    vocabulary[left + right] = next++;
    list.push_back(json::array({left, right}));
  }
  return {
      {"added_tokens",
       {added_token(0, "<pad>"), added_token(1, "<eos>"), added_token(2, "<bos>"),
        added_token(3, "<unk>")}},
      {"normalizer", {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}}},
      {"pre_tokenizer", nullptr},
      {"post_processor", nullptr},
      {"model",
       {{"type", "BPE"},
        {"unk_token", "<unk>"},
        {"fuse_unk", true},
        {"byte_fallback", true},
        {"vocab", vocabulary},
        {"merges", list}}}};
}

}  // namespace hinny
