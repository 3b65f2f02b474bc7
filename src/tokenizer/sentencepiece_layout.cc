// A SentencePiece model's pieces by the ids that a family gives them.
#include <fmt/format.h>

#include "base/error.h"
#include "tokenizer/family_rules.h"

namespace hinny {
namespace {

// fairseq's: its own special pieces first, SentencePiece's from its fourth on moved up by one.
void lay_out_fairseq(TokenizerImport& import, const std::vector<std::string>& languages) {
  TokenizerParts& parts = import.parts;
  constexpr std::size_t kOwn = 3;  // <unk>, <s> and </s>, in this order
  const bool expected = parts.pieces.size() > kOwn && parts.unknown == 0 &&
                        parts.kinds[1] == PieceKind::control &&
                        parts.kinds[2] == PieceKind::control;
  if (!expected) {
    throw InputError(import.source, "not the special pieces that fairseq's ids begin with",
                     "<unk>, <s> and </s> as the first three");
  }
  const TokenizerParts given = parts;
  parts.pieces = {"<s>", "<pad>", "</s>", "<unk>"};
  parts.scores.assign(4, 0.0);
  parts.kinds.assign(4, PieceKind::control);
  parts.kinds[3] = PieceKind::unknown;
  parts.unknown = 3;
  const auto add = [&](const std::string& piece, double score, PieceKind kind) {
    parts.pieces.push_back(piece);
    parts.scores.push_back(score);
    parts.kinds.push_back(kind);
  };
  for (std::size_t i = kOwn; i < given.pieces.size(); ++i) {
    add(given.pieces[i], given.scores[i], given.kinds[i]);
  }
  for (const std::string& language : languages) add(language, 0, PieceKind::control);
  add("<mask>", 0, PieceKind::control);
}

}  // namespace

void lay_out_sentencepiece(SentencePieceModel model, std::string_view family,
                           const FolderFacts& facts, TokenizerImport& import) {
  TokenizerParts& parts = import.parts;
  parts = std::move(model.parts);
  if (family == "xlm-roberta" || family == "nllb") {
    if (family == "nllb" && facts.more_special.empty()) {
      throw InputError(import.source, "no list of NLLB's languages",
                       "tokenizer.json, or additional_special_tokens in special_tokens_map.json");
    }
    lay_out_fairseq(import, family == "nllb" ? facts.more_special : std::vector<std::string>{});
    parts.before = {0};
    parts.after = {2};
    parts.padding = 1;
    import.say("ids as fairseq has them: <s> 0, <pad> 1, </s> 2, <unk> 3", family);
    return;
  }
  const bool begins = facts.flag("add_bos_token").value_or(false);
  const bool ends = facts.flag("add_eos_token").value_or(true);
  if (begins && model.begin >= 0) parts.before = {model.begin};
  if (ends && model.end >= 0) parts.after = {model.end};
  parts.padding = model.padding;
}

}  // namespace hinny
