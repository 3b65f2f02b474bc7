// Pieces by id, while they come in any order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenizer/tokenizer_parts.h"

namespace hinny {

// What stands for an id that no piece has had yet: no UTF-8, so no piece.
inline constexpr std::string_view kNoPiece = "\xFF";

using PieceIds = std::unordered_map<std::string, std::int32_t>;

// False when another piece has that id. Ids are below kMostPieces.
bool put_piece(std::vector<std::string>& pieces, std::int32_t id, const std::string& piece);
// Throws InputError, naming `file`, for an id below the last that no piece has.
void check_no_holes(const std::vector<std::string>& pieces, const std::filesystem::path& file);

// The later of two pieces of one text counts.
PieceIds ids_of(const std::vector<std::string>& pieces);

// Adds the merge of two pieces. False, with what is missing in `missing`, where one of them or
// both together are no piece.
bool add_merge(const std::string& left, const std::string& right, const PieceIds& ids,
               TokenizerParts& parts, std::string& missing);

}  // namespace hinny
