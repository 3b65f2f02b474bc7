// Texts that are one piece each, wherever they stand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/safetensors.h"
#include "tokenizer/prefix_tree.h"

namespace hinny {

// Of a text, what is one piece and what is still to be cut.
struct TextPart {
  std::string_view text;
  std::int32_t id = -1;  // -1: to be cut
};

// A view of int32 rows (id, flags) and of a tree whose values are rows. Safe to share between
// threads.
class AddedTokens {
 public:
  static constexpr std::int32_t kWholeWord = 1, kTakesLeft = 2, kTakesRight = 4;

  AddedTokens() = default;
  AddedTokens(std::span<const std::byte> rows, PrefixTree tree) : rows_(rows), tree_(tree) {}

  // The longest of them from left to right, and what lies between; no part is empty.
  std::vector<TextPart> split(std::string_view text) const;

 private:
  std::span<const std::byte> rows_;
  PrefixTree tree_;
};

}  // namespace hinny
