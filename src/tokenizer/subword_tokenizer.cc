#include "tokenizer/subword_tokenizer.h"

#include <fmt/format.h>

#include <stdexcept>
#include <tuple>

#include "base/error.h"
#include "base/request_error.h"
#include "base/utf8.h"
#include "tokenizer/added_tokens.h"
#include "tokenizer/cutter.h"
#include "tokenizer/splitters.h"
#include "tokenizer/text_steps.h"
#include "tokenizer/tokenizer_description.h"

namespace hinny {
namespace {

constexpr std::size_t kLongestText = std::size_t{1} << 20U;  // bytes

}  // namespace

struct SubwordTokenizer::State {
  explicit State(const std::filesystem::path& given)
      : path(given),
        file(SafetensorsFile::open(given)),
        described(read_tokenizer_description(given, file)),
        pieces(given, file),
        cutter(make_cutter(described.cutter, pieces, given, file)) {
    const auto tree = [&](const char* name) {
      return PrefixTree(stored(path, file, name, TensorType::int32, -1));
    };
    const auto rows = stored(path, file, "added", TensorType::int32, -1, 2);
    added = AddedTokens(rows, tree("added_tree"));
    added_normalised = AddedTokens(rows, tree("added_normalised_tree"));
    const TextStepContext context{
        path, CharacterMap(stored(path, file, "characters", TensorType::uint8, -1)),
        tree("user_defined")};
    const bool reasonable = described.normalisers.size() <= kMostSteps &&
                            described.splitters.size() <= kMostSteps &&
                            described.before.size() + described.after.size() <= kMostMarks;
    if (!reasonable) throw InputError(path, "too many steps or marks", "a model's tokenizer");
    for (const Step& step : described.normalisers) steps.push_back(make_text_step(step, context));
    for (const Step& step : described.splitters) splitters.push_back(make_splitter(step, path));
    for (const std::int32_t id : described.before) pieces.checked(id);
    for (const std::int32_t id : described.after) pieces.checked(id);
    if (described.padding != -1) pieces.checked(described.padding);
    if (described.cutter.unknown != -1) pieces.checked(described.cutter.unknown);
  }

  // Appends until there are `most` ids; the rest of the text is not looked at then.
  void append(std::string_view text, std::size_t most, std::vector<std::int32_t>& ids) const {
    for (const TextPart& part : added.split(text)) {
      if (ids.size() >= most) return;
      if (part.id >= 0) {
        ids.push_back(pieces.checked(part.id));
        continue;
      }
      std::string normal(part.text);
      for (const TextStep& step : steps) {
        step(normal);
        check_growth(normal.size());
      }
      if (!is_utf8(normal)) throw InputError(path, "a replacement that is not UTF-8", "UTF-8");
      const bool at_start = part.text.data() == text.data();
      append_normal(normal, at_start, most, ids);
    }
  }

  void check_growth(std::size_t size) const {
    if (size <= kLongestNormalText) return;
    throw InputError(path, fmt::format("steps that make {} bytes of a text", size),
                     "steps of a model's tokenizer");
  }

  void append_normal(std::string_view text, bool at_start, std::size_t most,
                     std::vector<std::int32_t>& ids) const {
    for (const TextPart& part : added_normalised.split(text)) {
      if (ids.size() >= most) return;
      if (part.id >= 0) {
        ids.push_back(pieces.checked(part.id));
        continue;
      }
      std::vector<std::string> words{std::string(part.text)};
      const bool first = at_start && part.text.data() == text.data();
      for (const Splitter& splitter : splitters) {
        splitter(words, first);
        std::size_t size = 0;
        for (const std::string& word : words) size += word.size();
        check_growth(size);
      }
      for (const std::string& word : words) {
        if (ids.size() >= most) return;
        if (!word.empty()) cutter->cut(word, ids);
      }
    }
  }

  std::filesystem::path path;
  SafetensorsFile file;
  TokenizerDescription described;
  PieceTable pieces;
  std::unique_ptr<Cutter> cutter;
  AddedTokens added, added_normalised;
  std::vector<TextStep> steps;
  std::vector<Splitter> splitters;
};

SubwordTokenizer SubwordTokenizer::open(const std::filesystem::path& file) {
  return SubwordTokenizer(std::make_shared<const State>(file));
}

std::int32_t SubwordTokenizer::size() const { return state_->pieces.size(); }
std::int32_t SubwordTokenizer::padding() const { return state_->described.padding; }

std::size_t SubwordTokenizer::marks() const {
  return state_->described.before.size() + state_->described.after.size();
}

std::vector<std::int32_t> SubwordTokenizer::ids(std::string_view text, std::size_t most) const {
  if (text.size() > kLongestText) {
    throw RequestError(fmt::format("a text of {} bytes", text.size()), "at most 1 MiB");
  }
  if (!is_utf8(text)) throw RequestError("a text that is not UTF-8", "UTF-8");
  const auto& [before, after] = std::tie(state_->described.before, state_->described.after);
  if (most < marks()) throw std::invalid_argument("SubwordTokenizer::ids: no room for the marks");
  std::vector<std::int32_t> ids = before;
  const std::size_t end = most - after.size();
  state_->append(text, end, ids);
  if (ids.size() > end) ids.resize(end);
  ids.insert(ids.end(), after.begin(), after.end());
  return ids;
}

std::string SubwordTokenizer::piece(std::int32_t id) const {
  return std::string(state_->pieces.text(id));
}

}  // namespace hinny
