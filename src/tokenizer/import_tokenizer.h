// The tokenizer of a pretrained model's folder, made into a file of Hinny's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// What the user may override; empty: as the folder or its family says.
struct TokenizerChoices {
  std::optional<bool> lower_case, strip_punctuation;
  std::string language;  // NLLB: the FLORES code put before the text, as "deu_Latn"
};

struct ImportedTokenizer {
  std::int32_t size = 0;              // every id is below it
  std::int32_t begin = -1, end = -1;  // the first and the last mark of a text; -1: none
  std::int32_t padding = -1;          // -1: none
  std::size_t most = 0;               // ids a text may have; 0: not said
  std::vector<std::string> chosen;    // lines for people: what was taken, and from where
};

// Reads the tokenizer of a Hugging Face folder, of open_clip's, or of a photo server's model or its
// `textual/`, and writes it to `out`, which appears whole. Of several descriptions tokenizer.json
// is taken, then vocab.json with merges.txt, vocab.txt, a SentencePiece model, CLIP's list of
// merges. `family` ("clip", "siglip", "siglip2", "xlm-roberta", "nllb", "bert", ...) decides what
// the files leave open. Throws InputError, with file and place, for what is missing, broken, too
// large or not supported, and for a choice that cannot act.
ImportedTokenizer import_tokenizer(const std::filesystem::path& folder, std::string_view family,
                                   const TokenizerChoices& choices,
                                   const std::filesystem::path& out);

}  // namespace hinny
