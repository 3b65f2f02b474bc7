// SentencePiece's table of what normalisation makes of which letters (precompiled_charsmap).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tokenizer/prefix_tree.h"

namespace hinny {

// A view of the table's bytes: the size of a trie, the trie, texts that end in NUL. Of a damaged
// one no more is used than is whole. Safe to share between threads.
class CharacterMap {
 public:
  CharacterMap() = default;
  explicit CharacterMap(std::span<const std::byte> table);
  // True when the sizes fit.
  static bool is_whole(std::string_view table);

  struct Found {
    std::string_view replacement;
    std::size_t bytes = 0;  // of the text that it stands for; 0: none
  };
  // For the longest start of `text`, as SentencePiece looks, or the shortest, as Rust's tokenizers
  // do.
  Found longest(std::string_view text) const;
  Found shortest(std::string_view text) const;

  // What a tokenizer.json with this table makes of `text`: of each grapheme of less than six bytes
  // what its shortest start becomes, of others letter by letter.
  std::string by_graphemes(std::string_view text) const;

 private:
  std::string_view replacement(std::int32_t place) const;
  PrefixTree tree_;
  std::string_view texts_;
};

}  // namespace hinny
