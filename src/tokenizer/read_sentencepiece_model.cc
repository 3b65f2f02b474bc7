#include "tokenizer/read_sentencepiece_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/read_file.h"
#include "base/utf8.h"
#include "tokenizer/character_map.h"
#include "tokenizer/wire_format.h"

namespace hinny {
namespace {

constexpr std::uint64_t kMostModelBytes = std::uint64_t{128} << 20U;

class SentencePieceReader {
 public:
  explicit SentencePieceReader(const std::filesystem::path& path) : path_(path) {
    model_.parts.model = PieceModel::unigram;
  }

  SentencePieceModel read() {
    const std::string file = read_file(path_, kMostModelBytes);
    each_field(file, [&](const WireField& field) {
      if (field.number == 1) read_piece(bytes_of(field));
      if (field.number == 2) read_trainer(bytes_of(field));
      if (field.number == 3) read_normaliser_spec(bytes_of(field));
    });
    TokenizerParts& parts = model_.parts;
    if (parts.pieces.empty()) throw InputError(path_, "no pieces", "a SentencePiece model");
    if (parts.unknown < 0) throw InputError(path_, "no unknown piece", "one of type UNKNOWN");
    parts.joins_unknown = true;
    parts.float32_sums = true;
    parts.normalisers.push_back(
        {"sentencepiece",
         {flag(adds_space_), flag(joins_spaces_), flag(marks_spaces_), flag(mark_is_suffix_)}});
    for (std::int32_t* id : {&model_.begin, &model_.end, &model_.padding}) {
      if (*id < 0 || static_cast<std::size_t>(*id) >= parts.pieces.size()) *id = -1;
    }
    return std::move(model_);
  }

 private:
  template <typename Use>
  void each_field(std::string_view message, const Use& use) const {
    WireReader reader(message);
    while (const auto field = reader.next()) use(*field);
    if (reader.broken()) throw InputError(path_, "a broken message", "a SentencePiece model");
  }

  std::string_view bytes_of(const WireField& field) const {
    if (field.has_length) return field.bytes;
    throw InputError(path_, fmt::format("field {} of another type", field.number),
                     "a SentencePiece model");
  }

  void read_piece(std::string_view message) {
    TokenizerParts& parts = model_.parts;
    std::string piece;
    float score = 0;
    std::uint64_t kind = 1;
    each_field(message, [&](const WireField& field) {
      if (field.number == 1) piece = bytes_of(field);
      if (field.number == 2) score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
      if (field.number == 3) kind = field.value;
    });
    const std::size_t id = parts.pieces.size();
    if (id == static_cast<std::size_t>(kMostPieces)) {
      throw InputError(path_, "pieces: too large", fmt::format("at most {}", kMostPieces));
    }
    if (piece.empty() || !is_utf8(piece) || !std::isfinite(score)) {
      throw InputError(path_, fmt::format("piece {} is empty, no UTF-8 or has no score", id),
                       "text and a finite number");
    }
    if (kind < 1 || kind > static_cast<std::uint64_t>(PieceKind::byte)) {
      throw InputError(path_, fmt::format("piece {} of type {}: unsupported", id, kind),
                       "types 1 to 6");
    }
    parts.kinds.push_back(static_cast<PieceKind>(kind));
    if (parts.kinds.back() == PieceKind::unknown) parts.unknown = static_cast<std::int32_t>(id);
    parts.pieces.push_back(std::move(piece));
    parts.scores.push_back(double{score});
  }

  void read_trainer(std::string_view message) {
    std::uint64_t type = 1;
    model_.begin = 1;  // what a model without them has
    model_.end = 2;
    each_field(message, [&](const WireField& field) {
      const auto id = static_cast<std::int32_t>(field.value);
      if (field.number == 3) type = field.value;
      if (field.number == 24) mark_is_suffix_ = field.value != 0;
      if (field.number == 35) model_.parts.falls_back_to_bytes = field.value != 0;
      if (field.number == 41) model_.begin = id;
      if (field.number == 42) model_.end = id;
      if (field.number == 43) model_.padding = id;
    });
    if (type != 1 && type != 2) {
      throw InputError(path_, fmt::format("a model of type {}: unsupported", type),
                       "unigram (1) or BPE (2)");
    }
    model_.parts.model = type == 1 ? PieceModel::unigram : PieceModel::scored_pairs;
  }

  void read_normaliser_spec(std::string_view message) {
    each_field(message, [&](const WireField& field) {
      if (field.number == 2) model_.parts.characters = bytes_of(field);
      if (field.number == 3) adds_space_ = field.value != 0;
      if (field.number == 4) joins_spaces_ = field.value != 0;
      if (field.number == 5) marks_spaces_ = field.value != 0;
    });
    const std::string& characters = model_.parts.characters;
    if (!characters.empty() && !CharacterMap::is_whole(characters)) {
      throw InputError(path_, "a table of characters that is cut off", "a whole one");
    }
  }

  std::filesystem::path path_;
  SentencePieceModel model_{{}, 1, 2, -1};
  bool adds_space_ = true, joins_spaces_ = true, marks_spaces_ = true, mark_is_suffix_ = false;
};

}  // namespace

SentencePieceModel read_sentencepiece_model(const std::filesystem::path& path) {
  return SentencePieceReader(path).read();
}

}  // namespace hinny
