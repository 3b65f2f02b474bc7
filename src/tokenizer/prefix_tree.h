// Which of many strings begin a text: a double-array trie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tokenizer/tokenizer_parts.h"

namespace hinny {

// A view of units of 32 bits, little endian and at any address, laid out as darts-clone does, since
// SentencePiece's files bring such tries. Whatever the units hold, no walk leaves them.
class PrefixTree {
 public:
  PrefixTree() = default;  // holds nothing
  explicit PrefixTree(std::span<const std::byte> units) : units_(units), count_(units.size() / 4) {}

  // Byte by byte from the root.
  class Walk {
   public:
    explicit Walk(const PrefixTree& tree) : tree_(&tree), at_(offset(tree.unit(0))) {}
    // False when no string goes on so; the walk is over then.
    bool step(char byte) {
      const auto label = static_cast<unsigned char>(byte);
      at_ ^= label;
      const std::uint32_t unit = tree_->unit(at_);
      if ((unit & (kValueBit | 0xFFU)) != label || label == 0) return false;
      at_ ^= offset(unit);
      ends_ = (unit >> 8U & 1U) != 0;
      return true;
    }
    // Of the string that ends here.
    std::optional<std::int32_t> value() const {
      if (!ends_) return std::nullopt;
      return static_cast<std::int32_t>(tree_->unit(at_) & ~kValueBit);
    }

   private:
    const PrefixTree* tree_;
    std::uint32_t at_;
    bool ends_ = false;
  };

  // use(value, bytes) for each string that begins `text`, the shortest first.
  template <typename Use>
  void prefixes(std::string_view text, const Use& use) const {
    Walk walk(*this);
    const std::size_t longest = std::min(text.size(), kLongestPiece);  // units may lead in circles
    for (std::size_t i = 0; i < longest && walk.step(text[i]); ++i) {
      if (const auto value = walk.value()) use(*value, i + 1);
    }
  }
  struct Match {
    std::int32_t value = 0;
    std::size_t bytes = 0;  // 0: none
  };
  Match longest(std::string_view text) const;
  std::optional<std::int32_t> find(std::string_view whole) const;
  bool empty() const { return count_ == 0; }

 private:
  static constexpr std::uint32_t kValueBit = 1U << 31U;
  static std::uint32_t offset(std::uint32_t unit) {
    return (unit >> 10U) << ((unit & (1U << 9U)) >> 6U);
  }
  std::uint32_t unit(std::uint32_t index) const;

  std::span<const std::byte> units_;
  std::size_t count_ = 0;
};

// The units for these strings, sorted by bytes and each once; values from 0. Strings that are empty
// or hold a NUL cannot be there.
std::vector<std::uint32_t> prefix_tree_units(
    const std::vector<std::pair<std::string, std::int32_t>>& sorted);

}  // namespace hinny
