#include "tokenizer/piece_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "base/error.h"

namespace hinny {

std::span<const std::byte> stored(const std::filesystem::path& path, const SafetensorsFile& file,
                                  const std::string& name, TensorType type, std::int64_t rows,
                                  std::int64_t columns) {
  const auto found = file.tensors().find(name);
  if (found == file.tensors().end()) return {};
  const TensorView& tensor = found->second;
  const bool fits = tensor.type == type && tensor.shape.size() == (columns == 1 ? 1 : 2) &&
                    (rows < 0 || tensor.shape.front() == rows) &&
                    (columns == 1 || tensor.shape.back() == columns);
  if (!fits) {
    throw InputError(path, fmt::format("'{}' of shape [{}]", name, fmt::join(tensor.shape, ", ")),
                     "the tensors of a tokenizer's file");
  }
  return tensor.bytes;
}

PieceTable::PieceTable(const std::filesystem::path& path, const SafetensorsFile& file)
    : path_(path),
      text_(stored(path, file, "text", TensorType::uint8, -1)),
      offsets_(stored(path, file, "offsets", TensorType::int32, -1)),
      bytes_(stored(path, file, "bytes", TensorType::int32, 256)),
      tree_(stored(path, file, "tree", TensorType::int32, -1)) {
  const auto offsets = static_cast<std::int64_t>(offsets_.size() / sizeof(std::int32_t));
  if (offsets < 2 || offsets - 1 > kMostPieces || text_.size() > kMostPieceBytes) damaged();
  size_ = static_cast<std::int32_t>(offsets - 1);
  scores_ = stored(path, file, "scores", TensorType::int64, size_);
  kinds_ = stored(path, file, "kinds", TensorType::uint8, size_);
}

void PieceTable::damaged() const {
  throw InputError(path_, "numbers that do not fit together", "a tokenizer's file");
}

std::string_view PieceTable::text(std::int32_t id) const {
  const auto index = static_cast<std::size_t>(checked(id));
  const auto begin = number_at<std::int32_t>(offsets_, index);
  const auto end = number_at<std::int32_t>(offsets_, index + 1);
  if (begin < 0 || end < begin || static_cast<std::size_t>(end) > text_.size()) damaged();
  return {reinterpret_cast<const char*>(text_.data()) + begin,
          static_cast<std::size_t>(end - begin)};
}

std::optional<std::int32_t> PieceTable::find(std::string_view text) const {
  const auto found = tree_.find(text);
  if (found) checked(*found);
  return found;
}

double PieceTable::score(std::int32_t id) const {
  if (scores_.empty()) return 0;
  return std::bit_cast<double>(
      number_at<std::int64_t>(scores_, static_cast<std::size_t>(checked(id))));
}

PieceKind PieceTable::kind(std::int32_t id) const {
  if (kinds_.empty()) return PieceKind::normal;
  return static_cast<PieceKind>(kinds_[static_cast<std::size_t>(checked(id))]);
}

std::int32_t PieceTable::of_byte(char byte) const {
  if (bytes_.empty()) return -1;
  const auto id = number_at<std::int32_t>(bytes_, static_cast<unsigned char>(byte));
  return id < 0 ? -1 : checked(id);
}

}  // namespace hinny
