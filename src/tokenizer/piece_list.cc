#include "tokenizer/piece_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hinny {

bool put_piece(std::vector<std::string>& pieces, std::int32_t id, const std::string& piece) {
  const auto index = static_cast<std::size_t>(id);
  if (index >= pieces.size()) pieces.resize(index + 1, std::string(kNoPiece));
  if (pieces[index] != kNoPiece && pieces[index] != piece) return false;
  pieces[index] = piece;
  return true;
}

void check_no_holes(const std::vector<std::string>& pieces, const std::filesystem::path& file) {
  const auto hole = std::find(pieces.begin(), pieces.end(), kNoPiece);
  if (hole == pieces.end()) return;
  throw InputError(
      file,
      fmt::format("a vocabulary with holes: id {} of {}", hole - pieces.begin(), pieces.size()),
      "a piece for each id");
}

PieceIds ids_of(const std::vector<std::string>& pieces) {
  PieceIds ids;
  for (std::size_t i = 0; i < pieces.size(); ++i) ids[pieces[i]] = static_cast<std::int32_t>(i);
  return ids;
}

bool add_merge(const std::string& left, const std::string& right, const PieceIds& ids,
               TokenizerParts& parts, std::string& missing) {
  const std::string& inside = parts.continuing;
  const bool marked = !inside.empty() && right.starts_with(inside);
  const std::string both = left + (marked ? right.substr(inside.size()) : right);
  std::array<std::int32_t, 3> merge{};
  std::size_t next = 0;
  for (const std::string* piece : {&left, &right, &both}) {
    const auto found = ids.find(*piece);
    if (found == ids.end()) {
      missing = *piece;
      return false;
    }
    merge[next++] = found->second;
  }
  parts.merges.push_back(merge);
  return true;
}

}  // namespace hinny
