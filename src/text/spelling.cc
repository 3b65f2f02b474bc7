#include "text/spelling.h"

#include <algorithm>

#include "text/characters.h"

namespace hinny {
Vocabulary character_vocabulary(const Vocabulary& words) {
  WordCounts counts;
  for (std::int32_t id = kFirstWord; id < words.size(); ++id) {
    const std::string_view word = words.word(id);
    for_each_character(word, [&](std::size_t begin, std::size_t end) {
      counts[std::string(word.substr(begin, end - begin))] +=
          std::max<std::int64_t>(1, words.count(id));
    });
  }
  return Vocabulary::build(counts, 1);
}

std::size_t spell(std::string_view word, const Vocabulary& characters,
                  std::span<std::int32_t> ids) {
  std::ranges::fill(ids, kPad);
  std::size_t used = 0, known = 0;
  for_each_character(word, [&](std::size_t begin, std::size_t end) {
    if (used == ids.size()) return;
    ids[used] = characters.id(word.substr(begin, end - begin));
    known += ids[used++] == kUnknown ? 0 : 1;
  });
  return known;
}

}  // namespace hinny
