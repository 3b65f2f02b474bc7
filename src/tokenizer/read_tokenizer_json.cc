#include "tokenizer/read_tokenizer_json.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/error.h"
#include "tokenizer/piece_list.h"
#include "tokenizer/tokenizer_json_parts.h"

namespace hinny {
namespace {

constexpr std::uint64_t kMostJsonBytes = std::uint64_t{128} << 20U;

void read_added(const JsonNode& list, TokenizerParts& parts) {
  const auto items = list.items();
  if (items.size() > static_cast<std::size_t>(kMostPieces)) {
    list.refuse(fmt::format("has {} tokens: too large", items.size()),
                fmt::format("at most {}", kMostPieces));
  }
  std::unordered_map<std::string_view, std::size_t> known;  // of the model's own pieces
  const std::vector<std::string> own = parts.pieces;
  for (std::size_t id = 0; id < own.size(); ++id) known[own[id]] = id;
  for (const JsonNode& item : items) {
    AddedToken token;
    token.text = item.at("content").string();
    token.id = static_cast<std::int32_t>(item.at("id").integer(0, kMostPieces - 1));
    token.whole_word = flag_of(item, "single_word", false);
    token.takes_left = flag_of(item, "lstrip", false);
    token.takes_right = flag_of(item, "rstrip", false);
    token.normalised = flag_of(item, "normalized", !flag_of(item, "special", false));
    if (token.text.empty()) continue;
    const auto other = known.find(token.text);
    const bool fits = other == known.end() || other->second == static_cast<std::size_t>(token.id);
    if (!fits || !put_piece(parts.pieces, token.id, token.text)) {
      item.refuse(fmt::format("'{}' with id {} does not fit the vocabulary", token.text, token.id),
                  "the id that it has there");
    }
    parts.added.push_back(std::move(token));
  }
  // Text is cut into the model's own pieces alone.
  if (!parts.scores.empty()) parts.scores.resize(parts.pieces.size(), 0.0);
  if (own == parts.pieces) return;
  for (std::size_t id = 0; id < parts.pieces.size(); ++id) {
    const bool is_own = id < own.size() && own[id] != kNoPiece;
    parts.kinds.push_back(is_own ? PieceKind::normal : PieceKind::control);
  }
}

std::int32_t mark_of(const JsonNode& pair, const TokenizerParts& parts) {
  const auto items = pair.items();  // ["</s>", 2]
  if (items.size() != 2) pair.refuse(fmt::format("has {} values", items.size()), "piece and id");
  return static_cast<std::int32_t>(
      items[1].integer(0, static_cast<std::int64_t>(parts.pieces.size()) - 1));
}

void read_template(const JsonNode& node, TokenizerParts& parts) {
  const JsonNode special = node.at("special_tokens");
  bool after = false;
  std::vector<std::int32_t> before;
  for (const JsonNode& item : node.at("single").items()) {
    if (const auto sequence = item.find("Sequence")) {
      if (after || sequence->at("id").string() != "A") item.refuse("is a second text", "A once");
      after = true;
      continue;
    }
    const std::string name = item.at("SpecialToken").at("id").string();
    for (const JsonNode& id : special.at(name).at("ids").items()) {
      (after ? parts.after : before)
          .push_back(static_cast<std::int32_t>(
              id.integer(0, static_cast<std::int64_t>(parts.pieces.size()) - 1)));
    }
  }
  if (!after) node.refuse("has no text in 'single'", "A");
  parts.before.insert(parts.before.begin(), before.begin(), before.end());
}

}  // namespace

void read_marks(const JsonNode& node, TokenizerParts& parts) {
  if (node.is_null()) return;
  const std::string type = node.at("type").string();
  if (type == "Sequence") {
    for (const JsonNode& item : node.at("processors").items()) read_marks(item, parts);
  } else if (type == "TemplateProcessing") {
    read_template(node, parts);
  } else if (type == "RobertaProcessing" || type == "BertProcessing") {
    parts.before.insert(parts.before.begin(), mark_of(node.at("cls"), parts));
    parts.after.push_back(mark_of(node.at("sep"), parts));
  } else if (type != "ByteLevel") {
    refuse_type(node,
                "TemplateProcessing, RobertaProcessing, BertProcessing, ByteLevel or Sequence");
  }
}

bool flag_of(const JsonNode& node, std::string_view key, bool otherwise) {
  const auto value = node.find(key);
  return value && !value->is_null() ? value->boolean() : otherwise;
}

std::string text_of(const JsonNode& node, std::string_view key, const std::string& otherwise) {
  const auto value = node.find(key);
  return value && !value->is_null() ? value->string() : otherwise;
}

void refuse_type(const JsonNode& node, std::string_view known) {
  node.refuse(fmt::format("is of type '{}': unsupported", text_of(node, "type", "")), known);
}

TokenizerJson read_tokenizer_json(const std::filesystem::path& path) {
  const JsonNode root = JsonNode::read(path, kMostJsonBytes);
  TokenizerJson result;
  TokenizerParts& parts = result.parts;
  const auto part = [&](std::string_view name, void (*read)(const JsonNode&, TokenizerParts&)) {
    if (const auto node = root.find(name)) read(*node, parts);
  };
  read_piece_model(root.at("model"), parts);
  if (const auto added = root.find("added_tokens"); added && !added->is_null()) {
    read_added(*added, parts);
  }
  check_no_holes(parts.pieces, path);
  part("normalizer", read_normaliser);
  part("pre_tokenizer", read_splitter);
  part("post_processor", read_marks);
  const auto truncation = root.find("truncation");
  if (truncation && !truncation->is_null()) {
    result.most = static_cast<std::size_t>(truncation->at("max_length").integer(1, 1 << 30));
  }
  const auto padding = root.find("padding");
  if (padding && !padding->is_null()) {
    parts.padding = static_cast<std::int32_t>(
        padding->at("pad_id").integer(0, static_cast<std::int64_t>(parts.pieces.size()) - 1));
  }
  return result;
}

}  // namespace hinny
