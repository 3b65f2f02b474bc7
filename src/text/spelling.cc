#include "text/spelling.h"

#include <unicode/utf8.h>

#include <algorithm>

namespace hinny {
namespace {

// Calls use(character) for each code point, as UTF-8.
template <typename Use>
void for_each_character(std::string_view word, const Use& use) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(word.data());
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t begin = at;
    U8_FWD_1(bytes, at, word.size());
    use(word.substr(begin, at - begin));
  }
}

}  // namespace

Vocabulary character_vocabulary(const Vocabulary& words) {
  WordCounts counts;
  for (std::int32_t id = kFirstWord; id < words.size(); ++id) {
    for_each_character(words.word(id), [&](std::string_view character) {
      counts[std::string(character)] += std::max<std::int64_t>(1, words.count(id));
    });
  }
  return Vocabulary::build(counts, 1);
}

std::size_t spell(std::string_view word, const Vocabulary& characters,
                  std::span<std::int32_t> ids) {
  std::ranges::fill(ids, kPad);
  std::size_t used = 0, known = 0;
  for_each_character(word, [&](std::string_view character) {
    if (used == ids.size()) return;
    ids[used] = characters.id(character);
    known += ids[used++] == kUnknown ? 0 : 1;
  });
  return known;
}

}  // namespace hinny
