// Parts of tokenizer.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/json_node.h"
#include "tokenizer/piece_list.h"
#include "tokenizer/tokenizer_parts.h"

namespace hinny {

// "normalizer" and "pre_tokenizer". Throw InputError for what is not known.
void read_normaliser(const JsonNode& node, TokenizerParts& parts);
void read_splitter(const JsonNode& node, TokenizerParts& parts);
// "model": its pieces and how words are cut into them.
void read_piece_model(const JsonNode& node, TokenizerParts& parts);
// {"piece": id}, as "vocab" and vocab.json have it.
PieceIds read_pieces(const JsonNode& vocabulary, TokenizerParts& parts);
// "post_processor": the marks.
void read_marks(const JsonNode& node, TokenizerParts& parts);

// A member's value where it is there and not null.
bool flag_of(const JsonNode& node, std::string_view key, bool otherwise);
std::string text_of(const JsonNode& node, std::string_view key, const std::string& otherwise);
[[noreturn]] void refuse_type(const JsonNode& node, std::string_view known);

}  // namespace hinny
