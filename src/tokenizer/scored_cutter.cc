// Byte pair encoding as SentencePiece does it: any two neighbours that are a piece together may
// merge, the piece of the highest score first, of equal ones the leftmost.
#include <queue>
#include <unordered_map>

#include "tokenizer/cutter.h"
#include "tokenizer/letters.h"

namespace hinny {
namespace {

class ScoredCutter final : public Cutter {
 public:
  ScoredCutter(CutterOptions options, const PieceTable& pieces, PrefixTree user_defined)
      : options_(std::move(options)), pieces_(pieces), user_defined_(user_defined) {}

  void cut(std::string_view word, std::vector<std::int32_t>& ids) const override {
    Work work{split(word), {}, {}};
    for (std::size_t i = 0; i + 1 < work.symbols.size(); ++i) {
      look_at(static_cast<std::int32_t>(i), work);
    }
    while (!work.pairs.empty()) {
      const Pair pair = work.pairs.top();
      work.pairs.pop();
      Symbol& left = work.at(pair.left);
      if (left.text.empty() || left.next < 0) continue;
      Symbol& right = work.at(left.next);
      if (left.text.size() + right.text.size() != pair.bytes) continue;  // merged since
      left.text = {left.text.data(), pair.bytes};
      right.text = {};
      left.next = right.next;
      if (left.next >= 0) work.at(left.next).previous = pair.left;
      look_at(left.previous, work);
      look_at(pair.left, work);
    }
    bool unknown_before = false;
    for (const Symbol& symbol : work.symbols) {
      if (!symbol.text.empty()) append(symbol.text, work, unknown_before, ids);
    }
  }

 private:
  struct Symbol {
    std::string_view text;  // empty: merged into another
    std::int32_t previous, next;
    bool whole;  // defined by the user: merges with nothing
  };
  struct Pair {
    double score;
    std::int32_t left;
    std::size_t bytes;
    bool operator<(const Pair& other) const {
      return score != other.score ? score < other.score : left > other.left;
    }
  };
  struct Work {
    std::vector<Symbol> symbols;
    std::priority_queue<Pair> pairs;
    // Pieces that may be passed but not be the end: what they were made of.
    std::unordered_map<std::string_view, std::size_t> unused;  // -> bytes of the left part
    Symbol& at(std::int32_t i) { return symbols[static_cast<std::size_t>(i)]; }
  };

  std::vector<Symbol> split(std::string_view word) const {
    std::vector<Symbol> symbols;
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t given = user_defined_.longest(word.substr(at)).bytes;
      const std::size_t bytes =
          given > 0 ? given : std::min(letter_bytes(word[at]), word.size() - at);
      const auto index = static_cast<std::int32_t>(symbols.size());
      symbols.push_back({word.substr(at, bytes), index - 1, index + 1, given > 0});
      at += bytes;
    }
    symbols.back().next = -1;
    return symbols;
  }

  void look_at(std::int32_t left, Work& work) const {
    if (left < 0 || work.at(left).next < 0) return;
    const Symbol& first = work.at(left);
    const Symbol& second = work.at(first.next);
    if (first.whole || second.whole) return;
    const std::string_view both(first.text.data(), first.text.size() + second.text.size());
    const auto id = pieces_.find(both);
    if (!id) return;
    work.pairs.push({pieces_.score(*id), left, both.size()});
    if (pieces_.kind(*id) == PieceKind::unused) work.unused[both] = first.text.size();
  }

  void append(std::string_view text, const Work& work, bool& unknown_before,
              std::vector<std::int32_t>& ids) const {
    const auto id = pieces_.find(text);
    if (id && pieces_.kind(*id) == PieceKind::unused) {
      const auto parts = work.unused.find(text);
      if (parts != work.unused.end() && parts->second > 0 && parts->second < text.size()) {
        append(text.substr(0, parts->second), work, unknown_before, ids);
        append(text.substr(parts->second), work, unknown_before, ids);
        return;
      }
    }
    if (id) {
      ids.push_back(*id);
    } else if (!options_.falls_back_to_bytes || !append_bytes(pieces_, text, ids)) {
      if (!unknown_before && options_.unknown >= 0) ids.push_back(options_.unknown);
      unknown_before = true;
      return;
    }
    unknown_before = false;
  }

  CutterOptions options_;
  const PieceTable& pieces_;
  PrefixTree user_defined_;
};

}  // namespace

std::unique_ptr<Cutter> make_scored_cutter(const CutterOptions& options, const PieceTable& pieces,
                                           PrefixTree user_defined) {
  return std::make_unique<ScoredCutter>(options, pieces, user_defined);
}

}  // namespace hinny
