#include "tokenizer/read_vocabulary_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/lines.h"
#include "model/json_node.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/piece_list.h"
#include "tokenizer/tokenizer_json_parts.h"

namespace hinny {
namespace {

constexpr std::uint64_t kMostVocabularyBytes = std::uint64_t{64} << 20U;
constexpr const char* kWordEnd = "</w>";
constexpr const char* kTextStart = "<|startoftext|>";
constexpr const char* kTextEnd = "<|endoftext|>";
// Of a list that holds more, CLIP takes so many.
constexpr std::size_t kClipMerges = 49152 - 256 - 2;
// As Hugging Face has CLIP's words.
constexpr const char* kClipWords = R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)";

std::string special(const FolderFacts& facts, const char* name, const char* otherwise) {
  const auto found = facts.special.find(name);
  return found == facts.special.end() ? otherwise : found->second;
}

struct SpecialIds {
  const PieceIds& ids;
  const std::filesystem::path& file;
  TokenizerParts& parts;

  std::int32_t required(const std::string& text) const {
    const auto found = ids.find(text);
    if (found == ids.end()) {
      throw InputError(file, fmt::format("'{}' is not in the vocabulary", text), "a piece");
    }
    return found->second;
  }
  // Makes it one that is found in text as it stands.
  std::int32_t added(const std::string& text, bool takes_left = false) const {
    const std::int32_t id = required(text);
    parts.added.push_back({text, id, false, takes_left, false, false});
    return id;
  }
  std::int32_t added_if_there(const std::string& text, bool takes_left = false) const {
    return ids.contains(text) ? added(text, takes_left) : -1;
  }
};

// use(left, right, line) for each merge of a file of them.
template <typename Use>
void each_merge(const std::filesystem::path& path, const Use& use) {
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    if (text.empty() || (line == 1 && text.starts_with("#version"))) return;
    if (line == 1 && text.find("bpe_simple_vocab") != std::string_view::npos) return;
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) {
      throw InputError(path, line, fmt::format("'{}'", text.substr(0, 100)),
                       "two pieces with a space between");
    }
    if (line > static_cast<std::size_t>(kMostPieces)) {
      throw InputError(path, line, "merges: too large", fmt::format("at most {}", kMostPieces));
    }
    use(std::string(text.substr(0, space)), std::string(text.substr(space + 1)), line);
  });
}

void make_clip(const SpecialIds& special_ids) {
  TokenizerParts& parts = special_ids.parts;
  parts.ending = kWordEnd;
  parts.normalisers = {{"nfc", {}}, {"replace-pattern", {R"(\s+)", " "}}, {"lower-case", {}}};
  parts.splitters = {{"pattern", {kClipWords, "Removed", "yes"}}, {"byte-letters", {"no", "yes"}}};
  parts.before = {special_ids.added(kTextStart)};
  parts.after = {special_ids.added(kTextEnd)};
  parts.unknown = parts.after.front();
}

void make_roberta(const SpecialIds& special_ids, const FolderFacts& facts) {
  TokenizerParts& parts = special_ids.parts;
  parts.splitters = {
      {"byte-letters", {flag(facts.flag("add_prefix_space").value_or(false)), "yes"}}};
  parts.before = {special_ids.added(special(facts, "bos_token", "<s>"))};
  parts.after = {special_ids.added(special(facts, "eos_token", "</s>"))};
  parts.padding = special_ids.added_if_there(special(facts, "pad_token", "<pad>"));
  parts.unknown = special_ids.added_if_there(special(facts, "unk_token", "<unk>"));
  special_ids.added_if_there(special(facts, "mask_token", "<mask>"), true);
}

// In the order in which OpenAI's table has them: what can be seen, then the rest.
std::vector<std::string> clip_letters() {
  std::vector<std::string> seen, rest;
  for (int byte = 0; byte < 256; ++byte) {
    const char letter = static_cast<char>(byte);
    const bool is_seen = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) ||
                         (byte >= 0xAE && byte <= 0xFF);
    (is_seen ? seen : rest).push_back(byte_letters({&letter, 1}));
  }
  seen.insert(seen.end(), rest.begin(), rest.end());
  return seen;
}

}  // namespace

TokenizerParts read_vocab_txt(const std::filesystem::path& path, const FolderFacts& facts) {
  TokenizerParts parts;
  parts.model = PieceModel::longest_first;
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    if (line > static_cast<std::size_t>(kMostPieces)) {
      throw InputError(path, line, "pieces: too large", fmt::format("at most {}", kMostPieces));
    }
    parts.pieces.emplace_back(text);
  });
  const PieceIds ids = ids_of(parts.pieces);
  const SpecialIds special_ids{ids, path, parts};
  const bool lower = facts.flag("do_lower_case").value_or(true);
  const bool strip = facts.flag("strip_accents").value_or(lower);
  const bool chinese = facts.flag("tokenize_chinese_chars").value_or(true);
  parts.normalisers = {{"bert", {"yes", flag(chinese), flag(strip), flag(lower)}}};
  parts.splitters = {{"bert", {}}};
  parts.continuing = "##";
  parts.longest_word = 100;
  parts.unknown = special_ids.added(special(facts, "unk_token", "[UNK]"));
  parts.before = {special_ids.added(special(facts, "cls_token", "[CLS]"))};
  parts.after = {special_ids.added(special(facts, "sep_token", "[SEP]"))};
  parts.padding = special_ids.added_if_there(special(facts, "pad_token", "[PAD]"));
  special_ids.added_if_there(special(facts, "mask_token", "[MASK]"));
  return parts;
}

TokenizerParts read_vocab_json(const std::filesystem::path& vocabulary,
                               const std::filesystem::path& merges, const FolderFacts& facts) {
  TokenizerParts parts;
  const PieceIds ids = read_pieces(JsonNode::read(vocabulary, kMostVocabularyBytes), parts);
  check_no_holes(parts.pieces, vocabulary);
  each_merge(merges, [&](const std::string& left, const std::string& right, std::size_t line) {
    std::string missing;
    if (add_merge(left, right, ids, parts, missing)) return;
    throw InputError(merges, line, fmt::format("'{}' is not in the vocabulary", missing),
                     fmt::format("a piece of {}", vocabulary.filename().string()));
  });
  const SpecialIds special_ids{ids, vocabulary, parts};
  const bool clip = std::any_of(parts.pieces.begin(), parts.pieces.end(),
                                [](const std::string& piece) { return piece.ends_with(kWordEnd); });
  if (clip) {
    make_clip(special_ids);
  } else {
    make_roberta(special_ids, facts);
  }
  return parts;
}

TokenizerParts read_clip_merges(const std::filesystem::path& merges) {
  TokenizerParts parts;
  parts.pieces = clip_letters();
  for (int i = 0; i < 256; ++i)
    parts.pieces.push_back(parts.pieces[static_cast<std::size_t>(i)] + kWordEnd);
  std::vector<std::pair<std::string, std::string>> pairs;
  each_merge(merges, [&](std::string left, std::string right, std::size_t) {
    if (pairs.size() >= kClipMerges) return;
    parts.pieces.push_back(left + right);
    pairs.emplace_back(std::move(left), std::move(right));
  });
  parts.pieces.emplace_back(kTextStart);
  parts.pieces.emplace_back(kTextEnd);
  const PieceIds ids = ids_of(parts.pieces);
  for (const auto& pair : pairs) {
    std::string missing;
    if (add_merge(pair.first, pair.second, ids, parts, missing)) continue;
    throw InputError(merges, fmt::format("a merge of '{}', which is no piece yet", missing),
                     "CLIP's merges in order");
  }
  make_clip({ids, merges, parts});
  return parts;
}

}  // namespace hinny
