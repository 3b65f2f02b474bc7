#include "tokenizer/cutter.h"

namespace hinny {

bool append_bytes(const PieceTable& pieces, std::string_view bytes,
                  std::vector<std::int32_t>& ids) {
  const std::size_t start = ids.size();
  for (const char byte : bytes) {
    const std::int32_t id = pieces.of_byte(byte);
    if (id < 0) {
      ids.resize(start);
      return false;
    }
    ids.push_back(id);
  }
  return true;
}

std::unique_ptr<Cutter> make_cutter(const CutterOptions& options, const PieceTable& pieces,
                                    const std::filesystem::path& path,
                                    const SafetensorsFile& file) {
  switch (options.model) {
    case PieceModel::scored_pairs:
      return make_scored_cutter(
          options, pieces, PrefixTree(stored(path, file, "user_defined", TensorType::int32, -1)));
    case PieceModel::unigram:
      return make_unigram_cutter(options, pieces);
    case PieceModel::longest_first:
      return make_longest_first_cutter(options, pieces);
    case PieceModel::merges:
      break;
  }
  return make_merging_cutter(options, pieces, path, file);
}

}  // namespace hinny
