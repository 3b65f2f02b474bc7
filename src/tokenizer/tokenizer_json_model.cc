// The pieces, and how words are cut into them.
#include <fmt/format.h>

#include <limits>

#include "base/error.h"
#include "tokenizer/piece_list.h"
#include "tokenizer/tokenizer_json_parts.h"

namespace hinny {
namespace {

void read_unknown(const JsonNode& node, const PieceIds& ids, TokenizerParts& parts) {
  const std::string unknown = text_of(node, "unk_token", "");
  if (unknown.empty()) return;
  const auto found = ids.find(unknown);
  if (found == ids.end()) {
    node.refuse(fmt::format("unk_token '{}' is not in the vocabulary", unknown), "a piece");
  }
  parts.unknown = found->second;
}

// "a b", or since 2024 ["a", "b"].
std::pair<std::string, std::string> read_merge(const JsonNode& item) {
  if (!item.is_string()) {
    auto both = item.strings();
    if (both.size() != 2) item.refuse(fmt::format("has {} pieces", both.size()), "two");
    return {std::move(both[0]), std::move(both[1])};
  }
  const std::string line = item.string();
  const std::size_t space = line.find(' ');
  if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos) {
    item.refuse(fmt::format("is '{}'", line), "two pieces with a space between");
  }
  return {line.substr(0, space), line.substr(space + 1)};
}

void read_merges(const JsonNode& node, const PieceIds& ids, TokenizerParts& parts) {
  const auto items = node.at("merges").items();
  if (items.size() > static_cast<std::size_t>(kMostPieces)) {
    node.refuse(fmt::format("has {} merges: too large", items.size()),
                fmt::format("at most {}", kMostPieces));
  }
  parts.merges.reserve(items.size());
  for (const JsonNode& item : items) {
    const auto both = read_merge(item);
    std::string missing;
    if (!add_merge(both.first, both.second, ids, parts, missing)) {
      item.refuse(fmt::format("needs '{}', which is not in the vocabulary", missing), "a piece");
    }
  }
}

void read_byte_pairs(const JsonNode& node, TokenizerParts& parts) {
  parts.model = PieceModel::merges;
  const PieceIds ids = read_pieces(node.at("vocab"), parts);
  read_unknown(node, ids, parts);
  const auto dropout = node.find("dropout");
  if (dropout && !dropout->is_null() && dropout->number(0, 1) > 0) {
    dropout->refuse("is a chance: unsupported", "null");
  }
  parts.continuing = text_of(node, "continuing_subword_prefix", "");
  parts.ending = text_of(node, "end_of_word_suffix", "");
  parts.joins_unknown = flag_of(node, "fuse_unk", false);
  parts.falls_back_to_bytes = flag_of(node, "byte_fallback", false);
  parts.whole_words_first = flag_of(node, "ignore_merges", false);
  read_merges(node, ids, parts);
}

void read_word_pieces(const JsonNode& node, TokenizerParts& parts) {
  parts.model = PieceModel::longest_first;
  const PieceIds ids = read_pieces(node.at("vocab"), parts);
  read_unknown(node, ids, parts);
  parts.continuing = text_of(node, "continuing_subword_prefix", "##");
  const auto longest = node.find("max_input_chars_per_word");
  parts.longest_word = longest ? longest->integer(1, std::numeric_limits<int>::max()) : 100;
}

void read_unigram(const JsonNode& node, TokenizerParts& parts) {
  parts.model = PieceModel::unigram;
  const JsonNode vocabulary = node.at("vocab");
  const auto items = vocabulary.items();
  if (items.size() > static_cast<std::size_t>(kMostPieces)) {
    vocabulary.refuse(fmt::format("has {} pieces: too large", items.size()),
                      fmt::format("at most {}", kMostPieces));
  }
  for (const JsonNode& item : items) {
    const auto pair = item.items();
    if (pair.size() != 2) item.refuse(fmt::format("has {} values", pair.size()), "two");
    parts.pieces.push_back(pair[0].string());
    parts.scores.push_back(pair[1].number(-1e30, 1e30));
  }
  const auto unknown = node.find("unk_id");
  if (unknown && !unknown->is_null()) {
    parts.unknown = static_cast<std::int32_t>(unknown->integer(0, kMostPieces - 1));
  }
  parts.falls_back_to_bytes = flag_of(node, "byte_fallback", false);
  parts.joins_unknown = true;
}

// Old files do not name their model.
std::string model_type(const JsonNode& node) {
  if (const auto type = node.find("type")) return type->string();
  if (node.find("merges")) return "BPE";
  return node.find("unk_id") ? "Unigram" : "WordPiece";
}

}  // namespace

// {"piece": id}.
PieceIds read_pieces(const JsonNode& vocabulary, TokenizerParts& parts) {
  const auto members = vocabulary.members();
  if (members.size() > static_cast<std::size_t>(kMostPieces)) {
    vocabulary.refuse(fmt::format("has {} pieces: too large", members.size()),
                      fmt::format("at most {}", kMostPieces));
  }
  PieceIds ids;
  for (const auto& [piece, id] : members) {
    const auto number = static_cast<std::int32_t>(id.integer(0, kMostPieces - 1));
    if (!put_piece(parts.pieces, number, piece)) {
      id.refuse(fmt::format("has id {}, which '{}' has", number,
                            parts.pieces[static_cast<std::size_t>(number)]),
                "an id of its own");
    }
    ids.emplace(piece, number);
  }
  return ids;
}

void read_piece_model(const JsonNode& node, TokenizerParts& parts) {
  const std::string type = model_type(node);
  if (type == "BPE") return read_byte_pairs(node, parts);
  if (type == "Unigram") return read_unigram(node, parts);
  if (type == "WordPiece") return read_word_pieces(node, parts);
  refuse_type(node, "BPE, Unigram or WordPiece");
}

}  // namespace hinny
