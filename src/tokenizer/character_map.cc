#include "tokenizer/character_map.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "text/icu_status.h"
#include "text/utf16.h"
#include "tokenizer/letters.h"

namespace hinny {
namespace {

constexpr std::size_t kSizeBytes = 4;
constexpr std::size_t kLongGrapheme = 6;  // bytes
// Unicode's longest, of U+FDFA, has 33 bytes.
constexpr std::size_t kLongestReplacement = 256;

std::uint32_t tree_bytes(std::string_view table) {
  std::uint32_t size = 0;
  if (table.size() >= kSizeBytes) std::memcpy(&size, table.data(), kSizeBytes);
  return size;
}

}  // namespace

bool CharacterMap::is_whole(std::string_view table) {
  return table.size() > kSizeBytes && tree_bytes(table) <= table.size() - kSizeBytes &&
         tree_bytes(table) % 4 == 0;
}

CharacterMap::CharacterMap(std::span<const std::byte> table) {
  const std::string_view text(reinterpret_cast<const char*>(table.data()), table.size());
  if (!is_whole(text)) return;
  const std::size_t size = tree_bytes(text);
  tree_ = PrefixTree(table.subspan(kSizeBytes, size));
  texts_ = text.substr(kSizeBytes + size);
}

std::string_view CharacterMap::replacement(std::int32_t place) const {
  if (static_cast<std::size_t>(place) > texts_.size()) return {};
  const std::string_view rest = texts_.substr(static_cast<std::size_t>(place));
  return rest.substr(0, std::min(rest.find('\0'), kLongestReplacement));
}

CharacterMap::Found CharacterMap::longest(std::string_view text) const {
  const PrefixTree::Match match = tree_.longest(text);
  if (match.bytes == 0) return {};
  return {replacement(match.value), match.bytes};
}

CharacterMap::Found CharacterMap::shortest(std::string_view text) const {
  PrefixTree::Walk walk(tree_);
  for (std::size_t i = 0; i < text.size() && walk.step(text[i]); ++i) {
    if (const auto place = walk.value()) return {replacement(*place), i + 1};
  }
  return {};
}

std::string CharacterMap::by_graphemes(std::string_view text) const {
  std::string result;
  result.reserve(text.size());
  const auto add = [&](std::string_view part) {
    const Found found = shortest(part);
    result += found.bytes > 0 ? found.replacement : part;
  };
  const auto add_grapheme = [&](std::string_view grapheme) {
    if (grapheme.size() < kLongGrapheme && shortest(grapheme).bytes > 0) {
      add(grapheme);
      return;
    }
    for (std::size_t at = 0; at < grapheme.size();) {
      const std::size_t bytes = std::min(letter_bytes(grapheme[at]), grapheme.size() - at);
      add(grapheme.substr(at, bytes));
      at += bytes;
    }
  };
  const auto alone = [](char byte) {
    return static_cast<unsigned char>(byte) < 0x80 && byte != '\r';
  };
  if (std::all_of(text.begin(), text.end(), alone)) {  // each byte is a grapheme
    for (std::size_t at = 0; at < text.size(); ++at) add(text.substr(at, 1));
    return result;
  }
  const icu::UnicodeString utf16 = to_utf16(text);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  if (icu_failed(status)) throw Failure("ICU has no rules for graphemes");
  breaks->setText(utf16);
  std::size_t at = 0;
  int32_t begin = breaks->first();
  for (int32_t end = breaks->next(); end != icu::BreakIterator::DONE; end = breaks->next()) {
    const std::size_t start = at;
    for (int32_t i = begin; i < end && at < text.size(); i = utf16.moveIndex32(i, 1)) {
      at = std::min(at + letter_bytes(text[at]), text.size());
    }
    add_grapheme(text.substr(start, at - start));
    begin = end;
  }
  return result;
}

}  // namespace hinny
