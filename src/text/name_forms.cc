#include "text/name_forms.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/characters.h"

namespace hinny {
namespace {

std::string in_form(std::string_view name, const icu::Normalizer2* (*form)(UErrorCode&)) {
  if (is_ascii(name) || !is_utf8(name)) return std::string(name);
  UErrorCode error = U_ZERO_ERROR;
  const auto* normaliser = form(error);
  if (U_FAILURE(error)) throw Failure("ICU has no normalisation");
  icu::UnicodeString text = icu::UnicodeString::fromUTF8(
      icu::StringPiece(name.data(), static_cast<std::int32_t>(name.size())));
  text = normaliser->normalize(text, error);
  std::string result;
  return U_FAILURE(error) ? std::string(name) : text.toUTF8String(result);
}

}  // namespace

std::string composed(std::string_view name) {
  return in_form(name, [](UErrorCode& error) { return icu::Normalizer2::getNFCInstance(error); });
}

std::string decomposed(std::string_view name) {
  return in_form(name, [](UErrorCode& error) { return icu::Normalizer2::getNFDInstance(error); });
}

}  // namespace hinny
