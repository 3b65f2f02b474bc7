#include "text/normaliser.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/icu_status.h"
#include "text/language_code.h"
#include "text/tokenizer.h"
#include "text/utf16.h"

namespace hinny {
namespace {

constexpr UChar32 kZeroWidthSpace = 0x200B;
constexpr UChar32 kZeroWidthNonJoiner = 0x200C;
constexpr UChar32 kZeroWidthJoiner = 0x200D;
constexpr UChar32 kTatweel = 0x0640;

// Before NFKC, which would make a space and a combining accent of the acute.
UChar32 plain(UChar32 letter) {
  switch (letter) {
    case 0x0060:  // grave
    case 0x00B4:  // acute
    case 0x02BC:  // modifier letter apostrophe
    case 0x2018:  // single quotation marks
    case 0x2019:
    case 0x201B:
      return '\'';
    case kZeroWidthSpace:  // where Thai and Khmer writers mark a word's end
      return ' ';
    default:
      return letter;
  }
}

bool is_arabic_mark(UChar32 letter) {
  return letter == kTatweel || (letter >= 0x064B && letter <= 0x0652) || letter == 0x0670;
}

bool is_hebrew_mark(UChar32 letter) {
  return letter >= 0x0591 && letter <= 0x05C7 && u_charType(letter) == U_NON_SPACING_MARK;
}

}  // namespace

Normaliser::Normaliser(const std::string& language) : locale_(locale_of(language)) {
  UErrorCode status = U_ZERO_ERROR;
  nfkc_ = icu::Normalizer2::getNFKCInstance(status);
  if (icu_failed(status)) throw Failure("ICU has no NFKC data");
  const std::string code = base_language(language);
  if (code == "ar" || code == "fa" || code == "ur") marks_ = Marks::arabic;
  if (code == "he") marks_ = Marks::hebrew;
}

bool Normaliser::drops(UChar32 letter) const {
  if (letter < 0x80) return false;
  if (marks_ == Marks::arabic && is_arabic_mark(letter)) return true;
  if (marks_ == Marks::hebrew && is_hebrew_mark(letter)) return true;
  // Soft hyphens, direction marks, variation selectors: nobody sees them. The joiners tell
  // words apart in Persian and in the scripts of India.
  return letter != kZeroWidthJoiner && letter != kZeroWidthNonJoiner &&
         u_hasBinaryProperty(letter, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

void Normaliser::operator()(std::string_view text, icu::UnicodeString& result) const {
  if (!is_utf8(text)) throw InputError("a caption that is not UTF-8", "UTF-8 text");
  const icu::UnicodeString given = to_utf16(text);
  icu::UnicodeString mapped(given.length(), 0, 0);
  for (int32_t i = 0; i < given.length(); i = given.moveIndex32(i, 1)) {
    const UChar32 letter = plain(given.char32At(i));
    if (!drops(letter)) mapped.append(letter);
  }
  UErrorCode status = U_ZERO_ERROR;
  nfkc_->normalize(mapped, result, status);
  result.toLower(locale_);
  // Lower-casing may leave a letter and an accent that compose.
  if (!icu_failed(status) && !nfkc_->isNormalized(result, status)) {
    mapped = result;
    nfkc_->normalize(mapped, result, status);
  }
  if (icu_failed(status)) throw Failure(fmt::format("ICU: {}", u_errorName(status)));
  if (result.isBogus()) throw std::bad_alloc();
}

std::string normalise(std::string_view text, const std::string& language) {
  icu::UnicodeString result;
  Normaliser{language}(text, result);
  return to_utf8(result);
}

}  // namespace hinny
