// WordPiece: from its start, each time the longest piece that goes on; a word of which a part is
// none is unknown as a whole.
#include "tokenizer/cutter.h"
#include "tokenizer/letters.h"

namespace hinny {
namespace {

class LongestFirstCutter final : public Cutter {
 public:
  LongestFirstCutter(CutterOptions options, const PieceTable& pieces)
      : options_(std::move(options)), pieces_(pieces) {}

  void cut(std::string_view word, std::vector<std::int32_t>& ids) const override {
    const std::size_t start = ids.size();
    if (!too_long(word) && cut_whole(word, ids)) return;
    ids.resize(start);
    if (options_.unknown >= 0) ids.push_back(options_.unknown);
  }

 private:
  bool too_long(std::string_view word) const {
    if (options_.longest_word <= 0) return false;
    std::int64_t letters = 0;
    for (std::size_t at = 0; at < word.size(); at += letter_bytes(word[at])) ++letters;
    return letters > options_.longest_word;
  }

  bool cut_whole(std::string_view word, std::vector<std::int32_t>& ids) const {
    for (std::size_t at = 0; at < word.size();) {
      PrefixTree::Walk walk(pieces_.tree());
      bool goes_on = true;
      if (at > 0) {
        for (const char byte : options_.continuing) goes_on = goes_on && walk.step(byte);
      }
      std::size_t end = at;
      std::int32_t id = -1;
      for (std::size_t i = at; goes_on && i < word.size(); ++i) {
        goes_on = walk.step(word[i]);
        const auto value = goes_on ? walk.value() : std::nullopt;
        if (value) {
          end = i + 1;
          id = pieces_.checked(*value);
        }
      }
      if (end == at) return false;
      ids.push_back(id);
      at = end;
    }
    return true;
  }

  CutterOptions options_;
  const PieceTable& pieces_;
};

}  // namespace

std::unique_ptr<Cutter> make_longest_first_cutter(const CutterOptions& options,
                                                  const PieceTable& pieces) {
  return std::make_unique<LongestFirstCutter>(options, pieces);
}

}  // namespace hinny
