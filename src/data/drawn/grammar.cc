#include "data/drawn/grammar.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "text/utf16.h"

namespace hinny::drawn {

std::span<const Language> languages() {
  static constexpr std::array<Language, 10> kLanguages = {{
      {"en", write_english},
      {"de", write_german},
      {"fr", write_french},
      {"cs", write_czech},
      {"zh", write_chinese},
      {"ja", write_japanese},
      {"ar", write_arabic},
      {"af", write_afrikaans},
      {"ko", write_korean},
      {"ru", write_russian},
  }};
  return kLanguages;
}

std::string words(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += ' ';
    text += part;
  }
  return text;
}

std::string join(const std::vector<std::string>& items, std::string_view separator,
                 std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? last : separator;
    text += items[i];
  }
  return text;
}

std::string sentence(std::string_view text) {
  constexpr std::string_view kArticle = "'n ";  // stays small even at the start
  std::string result;
  if (text.starts_with(kArticle)) {
    result = kArticle;
    text.remove_prefix(kArticle.size());
  }
  icu::UnicodeString letters = to_utf16(text);
  letters.replace(0, letters.moveIndex32(0, 1), u_toupper(letters.char32At(0)));
  return result + to_utf8(letters) + '.';
}

}  // namespace hinny::drawn
