// Byte pair encoding by a list of merges, as Hugging Face's tokenizers do it.
#include <queue>

#include "tokenizer/cutter.h"
#include "tokenizer/letters.h"
#include "tokenizer/merge_table.h"

namespace hinny {
namespace {

class MergingCutter final : public Cutter {
 public:
  MergingCutter(CutterOptions options, const PieceTable& pieces, MergeTable merges)
      : options_(std::move(options)), pieces_(pieces), merges_(merges) {}

  void cut(std::string_view word, std::vector<std::int32_t>& ids) const override {
    if (options_.whole_words_first) {
      if (const auto whole = pieces_.find(word)) {
        ids.push_back(*whole);
        return;
      }
    }
    std::vector<Symbol> symbols = letters_of(word);
    merge(symbols);
    for (const Symbol& symbol : symbols) {
      if (symbol.alive) ids.push_back(pieces_.checked(symbol.id));
    }
  }

 private:
  struct Symbol {
    std::int32_t id;
    std::int32_t previous, next;  // -1: none
    bool alive = true;
  };
  struct Pair {
    std::int32_t rank, left, both;
    bool operator<(const Pair& other) const {  // of a priority queue: the first comes out first
      return rank != other.rank ? rank > other.rank : left > other.left;
    }
  };

  std::vector<Symbol> letters_of(std::string_view word) const {
    std::vector<std::int32_t> ids;
    std::string letter;
    bool unknown_before = false;
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t start = at;
      at += letter_bytes(word[at]);
      letter = start == 0 ? "" : options_.continuing;
      letter += word.substr(start, at - start);
      if (at >= word.size()) letter += options_.ending;
      if (const auto id = pieces_.find(letter)) {
        ids.push_back(*id);
      } else if (options_.falls_back_to_bytes && append_bytes(pieces_, letter, ids)) {
      } else if (options_.unknown >= 0) {
        if (!unknown_before || !options_.joins_unknown) ids.push_back(options_.unknown);
        unknown_before = true;
        continue;
      }
      unknown_before = false;
    }
    std::vector<Symbol> symbols;
    symbols.reserve(ids.size());
    const auto count = static_cast<std::int32_t>(ids.size());
    for (std::int32_t i = 0; i < count; ++i) {
      symbols.push_back({ids[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : -1});
    }
    return symbols;
  }

  void merge(std::vector<Symbol>& symbols) const {
    std::priority_queue<Pair> pairs;
    const auto at = [&](std::int32_t i) -> Symbol& { return symbols[static_cast<std::size_t>(i)]; };
    const auto look_at = [&](std::int32_t left) {
      if (left < 0 || at(left).next < 0) return;
      const auto merge = merges_.find(at(left).id, at(at(left).next).id);
      if (merge) pairs.push({merge->rank, left, merge->both});
    };
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) look_at(static_cast<std::int32_t>(i));
    while (!pairs.empty()) {
      const Pair pair = pairs.top();
      pairs.pop();
      Symbol& left = at(pair.left);
      if (!left.alive || left.next < 0) continue;
      Symbol& right = at(left.next);
      const auto merge = merges_.find(left.id, right.id);
      if (!merge || merge->both != pair.both) continue;  // one of them has merged since
      left.id = merge->both;
      right.alive = false;
      left.next = right.next;
      if (left.next >= 0) at(left.next).previous = pair.left;
      look_at(left.previous);
      look_at(pair.left);
    }
  }

  CutterOptions options_;
  const PieceTable& pieces_;
  MergeTable merges_;
};

}  // namespace

std::unique_ptr<Cutter> make_merging_cutter(const CutterOptions& options, const PieceTable& pieces,
                                            const std::filesystem::path& path,
                                            const SafetensorsFile& file) {
  const auto rows = stored(path, file, "merges", TensorType::int32, -1, 3);
  const auto slots = stored(path, file, "merge_slots", TensorType::int32, -1);
  return std::make_unique<MergingCutter>(options, pieces, MergeTable(rows, slots));
}

}  // namespace hinny
