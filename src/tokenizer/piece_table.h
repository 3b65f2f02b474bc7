// The pieces of a tokenizer's file: their texts, and what is stored of each.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/safetensors.h"
#include "tokenizer/prefix_tree.h"
#include "tokenizer/tokenizer_parts.h"

namespace hinny {

// A view of a mapped file. Numbers in it are checked when they are used: then a damaged file is an
// InputError. Safe to share between threads.
class PieceTable {
 public:
  // Throws InputError for tensors of a wrong type or size; looks at no piece.
  PieceTable(const std::filesystem::path& path, const SafetensorsFile& file);

  std::int32_t size() const { return size_; }
  std::string_view text(std::int32_t id) const;
  std::optional<std::int32_t> find(std::string_view text) const;
  const PrefixTree& tree() const { return tree_; }
  double score(std::int32_t id) const;
  PieceKind kind(std::int32_t id) const;  // normal where the file has no kinds
  // The piece of a byte of what is unknown; -1: none.
  std::int32_t of_byte(char byte) const;
  // Throws InputError unless it is a piece's.
  std::int32_t checked(std::int32_t id) const {
    if (id < 0 || id >= size_) damaged();
    return id;
  }

 private:
  [[noreturn]] void damaged() const;
  std::filesystem::path path_;
  std::int32_t size_ = 0;
  std::span<const std::byte> text_, offsets_, scores_, kinds_, bytes_;
  PrefixTree tree_;
};

// The tensor `name` of a file, if it is there: of this type, with `columns` numbers in each row (1:
// one dimension) and, unless -1, so many rows.
std::span<const std::byte> stored(const std::filesystem::path& path, const SafetensorsFile& file,
                                  const std::string& name, TensorType type, std::int64_t rows,
                                  std::int64_t columns = 1);

// Number `index` of a tensor, at any address.
template <typename Number>
Number number_at(std::span<const std::byte> tensor, std::size_t index);

}  // namespace hinny

#include <cstring>

template <typename Number>
Number hinny::number_at(std::span<const std::byte> tensor, std::size_t index) {
  Number number = 0;
  std::memcpy(&number, tensor.data() + index * sizeof(Number), sizeof(Number));
  return number;
}
