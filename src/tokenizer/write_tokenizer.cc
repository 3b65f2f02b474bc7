// A tokenizer's file: docs/formats/tokenizer.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "base/safetensors.h"
#include "base/utf8.h"
#include "tokenizer/added_tokens.h"
#include "tokenizer/merge_table.h"
#include "tokenizer/prefix_tree.h"
#include "tokenizer/splitters.h"
#include "tokenizer/text_steps.h"
#include "tokenizer/tokenizer_parts.h"

namespace hinny {
namespace {

using Keys = std::vector<std::pair<std::string, std::int32_t>>;

class PartsWriter {
 public:
  PartsWriter(const TokenizerParts& parts, const std::filesystem::path& source)
      : parts_(parts), source_(source) {
    if (parts.normalisers.size() > kMostSteps || parts.splitters.size() > kMostSteps) {
      refuse("too many steps: too large", fmt::format("at most {} of a kind", kMostSteps));
    }
    // All are made here, so that what is written can be read again.
    const TextStepContext context{
        source, CharacterMap(std::as_bytes(std::span(parts.characters))), {}};
    for (const Step& step : parts.normalisers) steps_.push_back(make_text_step(step, context));
    for (const Step& step : parts.splitters) make_splitter(step, source);
  }

  void write(const std::filesystem::path& out) {
    check();
    add_pieces();
    add_model();
    add_added();
    if (!parts_.characters.empty()) {
      add("characters", TensorType::uint8,
          std::vector<char>(parts_.characters.begin(), parts_.characters.end()));
    }
    std::map<std::string, TensorView> views;
    for (const auto& [name, tensor] : tensors_) {
      views[name] = {tensor.type, tensor.shape, std::as_bytes(std::span(tensor.bytes))};
    }
    write_safetensors(out, views, metadata());
  }

 private:
  struct Tensor {
    TensorType type;
    std::vector<std::int64_t> shape;
    std::vector<char> bytes;
  };

  template <typename Number>
  void add(const std::string& name, TensorType type, const std::vector<Number>& numbers,
           std::int64_t columns = 1) {
    Tensor tensor{type, {static_cast<std::int64_t>(numbers.size()) / columns}, {}};
    if (columns > 1) tensor.shape.push_back(columns);
    const auto* bytes = reinterpret_cast<const char*>(numbers.data());
    tensor.bytes.assign(bytes, bytes + numbers.size() * sizeof(Number));
    tensors_.emplace(name, std::move(tensor));
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& expected) const {
    throw InputError(source_, what, expected);
  }

  void check_id(std::int32_t id, std::string_view of) const {
    if (id < 0 || static_cast<std::size_t>(id) >= parts_.pieces.size()) {
      refuse(fmt::format("{} has id {}", of, id),
             fmt::format("below {}, as many as there are pieces", parts_.pieces.size()));
    }
  }

  void check() const {
    const std::size_t count = parts_.pieces.size();
    if (count == 0) refuse("no pieces", "a vocabulary");
    if (count > static_cast<std::size_t>(kMostPieces)) {
      refuse(fmt::format("{} pieces: too large", count), fmt::format("at most {}", kMostPieces));
    }
    std::uint64_t bytes = 0;
    for (const std::string& piece : parts_.pieces) {
      bytes += piece.size();
      if (!is_utf8(piece)) refuse("a piece that is not UTF-8", "UTF-8");
      if (piece.size() > kLongestPiece) {
        refuse(fmt::format("a piece of {} bytes: too large", piece.size()),
               fmt::format("at most {}", kLongestPiece));
      }
    }
    if (bytes > kMostPieceBytes) {
      refuse(fmt::format("pieces of {} bytes: too large", bytes),
             fmt::format("at most {}", kMostPieceBytes));
    }
    if (!parts_.scores.empty() && parts_.scores.size() != count) refuse("scores", "one a piece");
    if (!parts_.kinds.empty() && parts_.kinds.size() != count) refuse("kinds", "one a piece");
    if (parts_.before.size() + parts_.after.size() > kMostMarks) {
      refuse(fmt::format("{} marks: too large", parts_.before.size() + parts_.after.size()),
             fmt::format("at most {}", kMostMarks));
    }
    for (const std::int32_t id : parts_.before) check_id(id, "a mark before the text");
    for (const std::int32_t id : parts_.after) check_id(id, "a mark after the text");
    if (parts_.unknown >= 0) check_id(parts_.unknown, "the unknown piece");
    if (parts_.padding >= 0) check_id(parts_.padding, "padding");
    for (const AddedToken& token : parts_.added) check_id(token.id, "an added token");
    for (const auto& merge : parts_.merges) {
      for (const std::int32_t id : merge) check_id(id, "a merge");
    }
  }

  // What text alone leads to: not to what stands for the unknown, nor to SentencePiece's controls.
  bool is_found(std::size_t id) const {
    if (parts_.kinds.empty()) return true;
    const PieceKind kind = parts_.kinds[id];
    return kind == PieceKind::normal || kind == PieceKind::user_defined ||
           kind == PieceKind::unused;
  }

  void add_tree(const std::string& name, Keys keys) {
    std::erase_if(keys, [](const auto& key) {
      return key.first.empty() || key.first.find('\0') != std::string::npos;
    });
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Keys once;
    for (auto& key : keys) {
      if (!once.empty() && once.back().first == key.first) {
        once.back().second = key.second;  // the later counts, as in a map of texts
      } else {
        once.push_back(std::move(key));
      }
    }
    try {
      add(name, TensorType::int32, prefix_tree_units(once));
    } catch (const std::length_error&) {
      refuse("more pieces than a tree can hold: too large", "a smaller vocabulary");
    }
  }

  void add_pieces() {
    std::vector<std::int32_t> offsets{0};
    std::vector<char> text;
    std::array<std::int32_t, 256> bytes{};
    bytes.fill(-1);
    std::map<std::string, std::size_t> byte_names;
    for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
      byte_names.emplace(fmt::format("<0x{:02X}>", byte), byte);
    }
    Keys keys, user_defined;
    for (std::size_t i = 0; i < parts_.pieces.size(); ++i) {
      const std::string& piece = parts_.pieces[i];
      const auto id = static_cast<std::int32_t>(i);
      text.insert(text.end(), piece.begin(), piece.end());
      offsets.push_back(static_cast<std::int32_t>(text.size()));
      if (is_found(i)) keys.emplace_back(piece, id);
      const auto byte = byte_names.find(piece);
      if (byte != byte_names.end()) bytes[byte->second] = id;
      if (!parts_.kinds.empty() && parts_.kinds[i] == PieceKind::user_defined) {
        user_defined.emplace_back(piece, id);
      }
    }
    add("text", TensorType::uint8, text);
    add("offsets", TensorType::int32, offsets);
    add_tree("tree", std::move(keys));
    if (!user_defined.empty()) add_tree("user_defined", std::move(user_defined));
    if (parts_.falls_back_to_bytes) {
      add("bytes", TensorType::int32, std::vector<std::int32_t>(bytes.begin(), bytes.end()));
    }
  }

  void add_model() {
    if (!parts_.scores.empty()) {
      std::vector<std::int64_t> scores;
      for (const double score : parts_.scores) scores.push_back(std::bit_cast<std::int64_t>(score));
      add("scores", TensorType::int64, scores);
    }
    if (!parts_.kinds.empty()) add("kinds", TensorType::uint8, parts_.kinds);
    if (parts_.merges.empty()) return;
    std::vector<std::int32_t> rows;
    for (const auto& merge : parts_.merges) rows.insert(rows.end(), merge.begin(), merge.end());
    add("merges", TensorType::int32, rows, 3);
    try {
      add("merge_slots", TensorType::int32, MergeTable::slots(parts_.merges));
    } catch (const std::length_error&) {
      refuse("merges made to collide", "a model's merges");
    }
  }

  // What such a token becomes in a text that is normalised before it is looked for.
  std::string normal_text(const AddedToken& token) const {
    std::string text = token.text;
    if (!token.normalised) return text;
    for (const TextStep& step : steps_) {
      step(text);
      if (text.size() > kLongestPiece) refuse("an added token that grows: too large", "a model's");
    }
    return text;
  }

  void add_added() {
    std::vector<std::int32_t> rows;
    Keys given, normalised;
    for (const AddedToken& token : parts_.added) {
      const auto row = static_cast<std::int32_t>(rows.size() / 2);
      (token.normalised ? normalised : given).emplace_back(normal_text(token), row);
      rows.push_back(token.id);
      rows.push_back((token.whole_word ? AddedTokens::kWholeWord : 0) |
                     (token.takes_left ? AddedTokens::kTakesLeft : 0) |
                     (token.takes_right ? AddedTokens::kTakesRight : 0));
    }
    if (rows.empty()) return;
    add("added", TensorType::int32, rows, 2);
    if (!given.empty()) add_tree("added_tree", std::move(given));
    if (!normalised.empty()) add_tree("added_normalised_tree", std::move(normalised));
  }

  static nlohmann::json steps(const std::vector<Step>& steps) {
    nlohmann::json list = nlohmann::json::array();
    for (const Step& step : steps) {
      nlohmann::json item = nlohmann::json::array({step.name});
      for (const std::string& option : step.options) item.push_back(option);
      list.push_back(std::move(item));
    }
    return list;
  }

  std::map<std::string, std::string> metadata() const {
    // Of SentencePiece's pieces the ordinary ones count, of others all.
    double lowest = 0, highest = 0;
    bool first = true;
    for (std::size_t i = 0; i < parts_.scores.size(); ++i) {
      if (!parts_.kinds.empty() && parts_.kinds[i] != PieceKind::normal) continue;
      lowest = first ? parts_.scores[i] : std::min(lowest, parts_.scores[i]);
      highest = first ? parts_.scores[i] : std::max(highest, parts_.scores[i]);
      first = false;
    }
    constexpr double kPenalty = 10;
    const double unknown = parts_.float32_sums
                               ? double{static_cast<float>(lowest) - static_cast<float>(kPenalty)}
                               : lowest - kPenalty;
    const nlohmann::json description = {{"version", 1},
                                        {"model", static_cast<int>(parts_.model)},
                                        {"normalisers", steps(parts_.normalisers)},
                                        {"splitters", steps(parts_.splitters)},
                                        {"unknown", parts_.unknown},
                                        {"unknown_score", unknown},
                                        {"highest_score", highest},
                                        {"joins_unknown", parts_.joins_unknown},
                                        {"falls_back_to_bytes", parts_.falls_back_to_bytes},
                                        {"whole_words_first", parts_.whole_words_first},
                                        {"float32_sums", parts_.float32_sums},
                                        {"continuing", parts_.continuing},
                                        {"ending", parts_.ending},
                                        {"longest_word", parts_.longest_word},
                                        {"before", parts_.before},
                                        {"after", parts_.after},
                                        {"padding", parts_.padding}};
    return {{"format", "hinny tokenizer"}, {"tokenizer", description.dump()}};
  }

  const TokenizerParts& parts_;
  std::filesystem::path source_;
  std::vector<TextStep> steps_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace

void write_tokenizer(const TokenizerParts& parts, const std::filesystem::path& source,
                     const std::filesystem::path& out) {
  PartsWriter(parts, source).write(out);
}

}  // namespace hinny
