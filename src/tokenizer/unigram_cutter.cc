// The pieces whose scores sum up highest (Kudo, ACL 2018, https://arxiv.org/abs/1804.10959), by
// Viterbi's algorithm.
#include <algorithm>
#include <cmath>

#include "tokenizer/cutter.h"
#include "tokenizer/letters.h"

namespace hinny {
namespace {

class UnigramCutter final : public Cutter {
 public:
  UnigramCutter(CutterOptions options, const PieceTable& pieces)
      : options_(std::move(options)), pieces_(pieces) {}

  void cut(std::string_view word, std::vector<std::int32_t>& ids) const override {
    std::vector<End> ends(word.size() + 1);
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t letter = std::min(letter_bytes(word[at]), word.size() - at);
      const double so_far = ends[at].score;
      bool letter_known = false;
      pieces_.tree().prefixes(word.substr(at), [&](std::int32_t value, std::size_t bytes) {
        const std::int32_t id = pieces_.checked(value);
        const PieceKind kind = pieces_.kind(id);
        if (kind == PieceKind::unused) return;
        const double score = kind == PieceKind::user_defined ? always(bytes) : pieces_.score(id);
        reach(ends[at + bytes], at, id, so_far + score);
        letter_known = letter_known || bytes == letter;
      });
      if (!letter_known) reach(ends[at + letter], at, kUnknown, unknown_after(so_far));
      at += letter;
    }
    append(word, ends, ids);
  }

 private:
  static constexpr std::int32_t kUnknown = -1;
  struct End {
    double score = 0;
    std::size_t begin = kNowhere;
    std::int32_t id = kUnknown;
  };
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  // What SentencePiece gives a piece that the user defined, so that it is always taken; it
  // multiplies in float and subtracts in double.
  double always(std::size_t bytes) const {
    return double{static_cast<float>(bytes) * static_cast<float>(options_.highest_score)} - 0.1;
  }

  // SentencePiece rounds this sum before it compares, and those with pieces after.
  double unknown_after(double so_far) const {
    const double sum = so_far + options_.unknown_score;
    return options_.float32_sums ? double{static_cast<float>(sum)} : sum;
  }

  void reach(End& end, std::size_t begin, std::int32_t id, double score) const {
    if (end.begin != kNowhere && !(score > end.score)) return;
    end = {options_.float32_sums ? double{static_cast<float>(score)} : score, begin, id};
  }

  void append(std::string_view word, const std::vector<End>& ends,
              std::vector<std::int32_t>& ids) const {
    std::vector<std::size_t> path;  // ends of pieces, the last first
    for (std::size_t at = word.size(); at > 0; at = ends[at].begin) path.push_back(at);
    bool unknown_before = false;
    for (auto end = path.rbegin(); end != path.rend(); ++end) {
      const End& piece = ends[*end];
      if (piece.id != kUnknown) {
        ids.push_back(piece.id);
      } else if (!options_.falls_back_to_bytes ||
                 !append_bytes(pieces_, word.substr(piece.begin, *end - piece.begin), ids)) {
        if (!unknown_before && options_.unknown >= 0) ids.push_back(options_.unknown);
        unknown_before = true;
        continue;
      }
      unknown_before = false;
    }
  }

  CutterOptions options_;
  const PieceTable& pieces_;
};

}  // namespace

std::unique_ptr<Cutter> make_unigram_cutter(const CutterOptions& options,
                                            const PieceTable& pieces) {
  return std::make_unique<UnigramCutter>(options, pieces);
}

}  // namespace hinny
