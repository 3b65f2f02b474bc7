// Words into pieces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/piece_table.h"

namespace hinny {

// What a tokenizer's file says of how its words are cut (fields of TokenizerParts).
struct CutterOptions {
  PieceModel model = PieceModel::merges;
  std::int32_t unknown = -1;
  double unknown_score = 0;
  double highest_score = 0;
  bool joins_unknown = false, falls_back_to_bytes = false, whole_words_first = false,
       float32_sums = false;
  std::string continuing, ending;
  std::int64_t longest_word = 0;
};

// Safe to share between threads.
class Cutter {
 public:
  virtual ~Cutter() = default;
  // Appends the ids of a word, which is UTF-8 and not empty.
  virtual void cut(std::string_view word, std::vector<std::int32_t>& ids) const = 0;
};

// Views `pieces` and `file`, which must live as long.
std::unique_ptr<Cutter> make_cutter(const CutterOptions& options, const PieceTable& pieces,
                                    const std::filesystem::path& path, const SafetensorsFile& file);
// The kinds of it.
std::unique_ptr<Cutter> make_merging_cutter(const CutterOptions& options, const PieceTable& pieces,
                                            const std::filesystem::path& path,
                                            const SafetensorsFile& file);
std::unique_ptr<Cutter> make_scored_cutter(const CutterOptions& options, const PieceTable& pieces,
                                           PrefixTree user_defined);
std::unique_ptr<Cutter> make_unigram_cutter(const CutterOptions& options, const PieceTable& pieces);
std::unique_ptr<Cutter> make_longest_first_cutter(const CutterOptions& options,
                                                  const PieceTable& pieces);

// The pieces of these bytes of what is unknown; false, and nothing appended, when one has none.
bool append_bytes(const PieceTable& pieces, std::string_view bytes, std::vector<std::int32_t>& ids);

}  // namespace hinny
