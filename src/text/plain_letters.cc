#include "text/plain_letters.h"

#include <fmt/format.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/ulocdata.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "text/characters.h"
#include "text/icu_status.h"
#include "text/language_code.h"
#include "text/plain_letter_table.h"
#include "text/utf16.h"

namespace hinny {
namespace {

constexpr std::uint8_t kNukta = 7;  // combining class of the dot below letters of India

struct Typed {
  UChar32 letter;
  std::string_view as;
};

// What canonical decomposition leaves whole; lower case alone, for words are.
constexpr std::array kTypedAs = std::to_array<Typed>({
    {0x00B7, ""},    // Catalan's l·l
    {0x00DF, "ss"},  // ß
    {0x00E6, "ae"},  // æ
    {0x00F0, "d"},   // ð
    {0x00F8, "o"},   // ø
    {0x00FE, "th"},  // þ
    {0x0111, "d"},   // đ
    {0x0127, "h"},   // ħ
    {0x0131, "i"},   // ı
    {0x0142, "l"},   // ł
    {0x014B, "n"},   // ŋ
    {0x0153, "oe"},  // œ
    {0x0167, "t"},   // ŧ
    {0x0180, "b"},   // ƀ
    {0x0192, "f"},   // ƒ
    {0x01DD, "e"},   // ǝ
    {0x0253, "b"},   // ɓ
    {0x0257, "d"},   // ɗ
    {0x0259, "e"},   // ə
    {0x0268, "i"},   // ɨ
    {0x0289, "u"},   // ʉ
    {0x0199, "k"},   // ƙ
    {0x01B4, "y"},   // ƴ
    {0x0491, "г"},   // ґ
    {0x0629, "ه"},   // ta marbuta
    {0x0649, "ي"},   // alef maqsura
    {0x06A9, "ك"},   // Persian kaf
    {0x06CC, "ي"},   // Persian ya
    {0x0671, "ا"},   // alef wasla
    {0x200C, ""},    // joiners, which Persian spells with
    {0x200D, ""},
});

const Typed* typed_as(UChar32 letter) {
  const auto found = std::ranges::find(kTypedAs, letter, &Typed::letter);
  return found == kTypedAs.end() ? nullptr : &*found;
}

// Whether a letter of the script is known without its marks.
bool stands_without_marks(UChar32 letter) {
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(letter, &status)) {
    case USCRIPT_LATIN:
    case USCRIPT_GREEK:
    case USCRIPT_CYRILLIC:
    case USCRIPT_ARABIC:
      return true;
    default:
      return false;
  }
}

const icu::Normalizer2& normalizer(bool composed) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* found = composed ? icu::Normalizer2::getNFCInstance(status)
                                           : icu::Normalizer2::getNFDInstance(status);
  if (icu_failed(status)) throw Failure("ICU has no NFC data");
  return *found;
}

void prefer(std::int32_t& known, std::int32_t other, const Vocabulary& vocabulary) {
  const auto rank = [&](std::int32_t id) { return std::pair(vocabulary.count(id), -id); };
  if (known == kUnknown || rank(other) > rank(known)) known = other;
}

}  // namespace

std::string plain_letters(std::string_view word) {
  if (is_ascii(word)) return std::string(word);
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString apart = normalizer(false).normalize(to_utf16(word), status);
  icu::UnicodeString plain;
  bool bare = false;  // the letter that marks stand on goes without
  for (int32_t i = 0; i < apart.length(); i = apart.moveIndex32(i, 1)) {
    const UChar32 letter = apart.char32At(i);
    if (u_charType(letter) == U_NON_SPACING_MARK) {
      if (!bare && u_getCombiningClass(letter) != kNukta) plain.append(letter);
      continue;
    }
    bare = stands_without_marks(letter);
    if (const Typed* typed = typed_as(letter)) {
      plain.append(to_utf16(typed->as));
    } else {
      plain.append(letter);
    }
  }
  const icu::UnicodeString composed = normalizer(true).normalize(plain, status);
  if (icu_failed(status)) throw Failure(fmt::format("ICU: {}", u_errorName(status)));
  return to_utf8(composed);
}

WrittenOut written_out(const std::string& language) {
  const std::string base = base_language(language);
  const auto is = [&](std::initializer_list<std::string_view> some) {
    return std::ranges::find(some, base) != some.end();
  };
  if (is({"de", "gsw", "lb", "et", "hu", "tr", "az"}))
    return {{"ae", "a"}, {"oe", "o"}, {"ue", "u"}};
  if (is({"sv", "da", "no", "fo"})) return {{"aa", "a"}, {"ae", "a"}, {"oe", "o"}};
  if (is({"fi", "is"})) return {{"ae", "a"}, {"oe", "o"}};
  if (is({"hr", "sr", "bs", "sh", "cnr"})) return {{"dj", "d"}};
  if (is({"eo"})) {
    return {{"cx", "c"}, {"gx", "g"}, {"hx", "h"}, {"jx", "j"}, {"sx", "s"}, {"ux", "u"}};
  }
  return {};
}

std::string put_back(std::string_view plain, const WrittenOut& letters) {
  std::string result;
  result.reserve(plain.size());
  for (std::size_t i = 0; i < plain.size();) {
    const auto here = std::ranges::find_if(
        letters, [&](const auto& pair) { return plain.substr(i).starts_with(pair.first); });
    result += here == letters.end() ? plain.substr(i, 1) : here->second;
    i += here == letters.end() ? 1 : here->first.size();
  }
  return result;
}

std::unordered_map<std::string, std::vector<std::string>> marked_letters(
    const std::string& language) {
  std::unordered_map<std::string, std::vector<std::string>> letters;
  UErrorCode status = U_ZERO_ERROR;
  ULocaleData* data = ulocdata_open(locale_of(language).getName(), &status);
  if (icu_failed(status)) return letters;
  USet* set = ulocdata_getExemplarSet(data, nullptr, 0, ULOCDATA_ES_STANDARD, &status);
  ulocdata_close(data);
  if (icu_failed(status)) return letters;
  const icu::UnicodeSet& alphabet = *icu::UnicodeSet::fromUSet(set);
  for (int32_t i = 0; i < alphabet.size() && alphabet.size() < 500; ++i) {  // no set of Han
    const UChar32 letter = alphabet.charAt(i);
    if (letter < 0x80) continue;
    std::string marked;
    icu::UnicodeString(letter).toUTF8String(marked);
    const std::string plain = plain_letters(marked);
    if (plain != marked && count_characters(plain) == 1) letters[plain].push_back(marked);
  }
  uset_close(set);
  return letters;
}

PlainWords::PlainWords(const Vocabulary& vocabulary, const std::string& language)
    : letters_(written_out(language)) {
  const auto add = [&](Ids& ids, std::string key, std::int32_t id) {
    if (key == vocabulary.word(id)) return;
    prefer(ids.try_emplace(std::move(key), kUnknown).first->second, id, vocabulary);
  };
  const auto is_own_key = [&](std::string_view word) {
    return is_ascii(word) && std::ranges::none_of(letters_, [&](const auto& pair) {
             return word.find(pair.first) != std::string_view::npos;
           });
  };
  PlainLetterTable letters;
  for (std::int32_t id = kFirstWord; id < vocabulary.size(); ++id) {
    const std::string& word = vocabulary.word(id);
    if (is_own_key(word)) continue;
    std::string plain = letters.of(word);
    if (!letters_.empty()) add(put_back_, put_back(plain, letters_), id);
    add(plain_, std::move(plain), id);
  }
}

std::int32_t PlainWords::find(const Ids& ids, const Vocabulary& vocabulary, std::string_view key) {
  std::int32_t best = vocabulary.id(key);
  if (const auto found = ids.find(key); found != ids.end()) {
    prefer(best, found->second, vocabulary);
  }
  return best;
}

std::int32_t PlainWords::without_marks(const Vocabulary& vocabulary, std::string_view word) const {
  return find(plain_, vocabulary, plain_letters(word));
}

std::int32_t PlainWords::id(const Vocabulary& vocabulary, std::string_view word) const {
  const std::string plain = plain_letters(word);
  const std::int32_t known = find(plain_, vocabulary, plain);
  if (known != kUnknown || letters_.empty()) return known;
  return find(put_back_, vocabulary, put_back(plain, letters_));
}

}  // namespace hinny
