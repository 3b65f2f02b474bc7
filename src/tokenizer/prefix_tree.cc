#include "tokenizer/prefix_tree.h"

#include <cstring>

namespace hinny {

std::uint32_t PrefixTree::unit(std::uint32_t index) const {
  // A value's bit without its label: no walk goes on there.
  if (index >= count_) return kValueBit;
  std::uint32_t value = 0;
  std::memcpy(&value, units_.data() + std::size_t{4} * index, sizeof value);
  return value;
}

PrefixTree::Match PrefixTree::longest(std::string_view text) const {
  Match match;
  prefixes(text, [&](std::int32_t value, std::size_t bytes) { match = {value, bytes}; });
  return match;
}

std::optional<std::int32_t> PrefixTree::find(std::string_view whole) const {
  Walk walk(*this);
  for (const char byte : whole) {
    if (!walk.step(byte)) return std::nullopt;
  }
  return walk.value();
}

}  // namespace hinny
