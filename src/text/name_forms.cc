#include "text/name_forms.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/characters.h"

namespace hinny {
namespace {

icu::UnicodeString wide(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

std::string in_form(std::string_view name, const icu::Normalizer2* (*form)(UErrorCode&)) {
  if (is_ascii(name) || !is_utf8(name)) return std::string(name);
  UErrorCode error = U_ZERO_ERROR;
  const auto* normaliser = form(error);
  if (U_FAILURE(error)) throw Failure("ICU has no normalisation");
  const icu::UnicodeString text = normaliser->normalize(wide(name), error);
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

std::string folded_case(std::string_view name) {
  if (!is_ascii(name) && is_utf8(name)) {
    std::string result;
    return wide(name).foldCase().toUTF8String(result);
  }
  std::string result(name);
  for (char& c : result) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return result;
}

}  // namespace hinny
