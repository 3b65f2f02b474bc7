// Normalisers and pre-tokenizers.
#include <fmt/format.h>

#include <array>
#include <map>

#include "base/error.h"
#include "tokenizer/character_map.h"
#include "tokenizer/tokenizer_json_parts.h"

namespace hinny {
namespace {

// "pattern": {"String": ...} or {"Regex": ...}.
struct SaidPattern {
  bool is_expression;
  std::string text;
};

SaidPattern read_pattern(const JsonNode& node) {
  const JsonNode pattern = node.at("pattern");
  if (const auto text = pattern.find("String")) return {false, text->string()};
  if (const auto expression = pattern.find("Regex")) return {true, expression->string()};
  pattern.refuse("is of an unsupported kind", "String or Regex");
}

std::string base64_bytes(const JsonNode& node) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text = node.string();
  while (text.ends_with('=')) text.pop_back();
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const std::size_t digit = kDigits.find(letter);
    if (digit == std::string_view::npos) node.refuse("is not in base64", "base64");
    bits = (bits << 6U | static_cast<std::uint32_t>(digit)) & 0xFFFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  return bytes;
}

void read_characters(const JsonNode& node, TokenizerParts& parts) {
  const auto given = node.find("precompiled_charsmap");
  if (!given || given->is_null()) return;
  const std::string bytes = base64_bytes(*given);
  if (bytes.empty()) return;
  if (!CharacterMap::is_whole(bytes)) given->refuse("is cut off", "a whole table");
  if (!parts.characters.empty() && parts.characters != bytes) {
    given->refuse("is a second table: unsupported", "one");
  }
  parts.characters = bytes;
  parts.normalisers.push_back({"precompiled", {}});
}

void read_bert(const JsonNode& node, TokenizerParts& parts) {
  const bool lower = flag_of(node, "lowercase", true);
  parts.normalisers.push_back(
      {"bert",
       {flag(flag_of(node, "clean_text", true)), flag(flag_of(node, "handle_chinese_chars", true)),
        flag(flag_of(node, "strip_accents", lower)), flag(lower)}});
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kPlainSteps = {{
    {"NFC", "nfc"},
    {"NFD", "nfd"},
    {"NFKC", "nfkc"},
    {"NFKD", "nfkd"},
    {"Lowercase", "lower-case"},
    {"StripAccents", "drop-marks"},
    {"Nmt", "nmt"},
    {"ByteLevel", "byte-letters"},
}};

std::string prepend_scheme(const JsonNode& node) {
  const auto scheme = node.find("prepend_scheme");
  if (!scheme) return flag_of(node, "add_prefix_space", true) ? "always" : "never";
  const std::string name = scheme->string();
  if (name != "always" && name != "first" && name != "never") {
    scheme->refuse(fmt::format("is '{}': unsupported", name), "always, first or never");
  }
  return name;
}

}  // namespace

void read_normaliser(const JsonNode& node, TokenizerParts& parts) {
  if (node.is_null()) return;
  const std::string type = node.at("type").string();
  for (const auto& [name, step] : kPlainSteps) {
    if (type == name) {
      parts.normalisers.push_back({std::string(step), {}});
      return;
    }
  }
  if (type == "Sequence") {
    for (const JsonNode& item : node.at("normalizers").items()) read_normaliser(item, parts);
  } else if (type == "Replace") {
    const SaidPattern pattern = read_pattern(node);
    if (pattern.text.empty()) node.refuse("replaces nothing", "a pattern");
    parts.normalisers.push_back({pattern.is_expression ? "replace-pattern" : "replace",
                                 {pattern.text, node.at("content").string()}});
  } else if (type == "Prepend") {
    parts.normalisers.push_back({"prepend", {node.at("prepend").string()}});
  } else if (type == "Strip") {
    parts.normalisers.push_back(
        {"strip",
         {flag(flag_of(node, "strip_left", true)), flag(flag_of(node, "strip_right", true))}});
  } else if (type == "Precompiled") {
    read_characters(node, parts);
  } else if (type == "BertNormalizer") {
    read_bert(node, parts);
  } else {
    refuse_type(node,
                "NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Nmt, ByteLevel, Sequence, Replace, "
                "Prepend, Strip, Precompiled or BertNormalizer");
  }
}

void read_splitter(const JsonNode& node, TokenizerParts& parts) {
  if (node.is_null()) return;
  const std::string type = node.at("type").string();
  const auto add = [&](Step step) { parts.splitters.push_back(std::move(step)); };
  if (type == "Sequence") {
    for (const JsonNode& item : node.at("pretokenizers").items()) read_splitter(item, parts);
  } else if (type == "ByteLevel") {
    add({"byte-letters",
         {flag(flag_of(node, "add_prefix_space", true)), flag(flag_of(node, "use_regex", true))}});
  } else if (type == "Metaspace") {
    const std::string mark = text_of(node, "replacement", "\xE2\x96\x81");
    if (mark.empty()) node.refuse("has an empty replacement", "a letter");
    add({"metaspace", {mark, prepend_scheme(node), flag(flag_of(node, "split", true))}});
  } else if (type == "Split") {
    const SaidPattern pattern = read_pattern(node);
    if (pattern.text.empty()) node.refuse("splits at nothing", "a pattern");
    add({pattern.is_expression ? "pattern" : "text",
         {pattern.text, node.at("behavior").string(), flag(flag_of(node, "invert", false))}});
  } else if (type == "Whitespace") {
    add({"words", {}});
  } else if (type == "WhitespaceSplit") {
    add({"spaces", {}});
  } else if (type == "BertPreTokenizer") {
    add({"bert", {}});
  } else if (type == "Punctuation") {
    add({"punctuation", {text_of(node, "behavior", "Isolated")}});
  } else if (type == "Digits") {
    add({"digits", {flag(flag_of(node, "individual_digits", false))}});
  } else {
    refuse_type(node,
                "Sequence, ByteLevel, Metaspace, Split, Whitespace, WhitespaceSplit, "
                "BertPreTokenizer, Punctuation or Digits");
  }
}

}  // namespace hinny
