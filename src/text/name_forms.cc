#include "text/name_forms.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/icu_status.h"
#include "text/utf16.h"

namespace hinny {
namespace {

std::string in_form(std::string_view name, const icu::Normalizer2* (*form)(UErrorCode&)) {
  if (is_ascii(name) || !is_utf8(name)) return std::string(name);
  UErrorCode error = U_ZERO_ERROR;
  const auto* normaliser = form(error);
  if (icu_failed(error)) throw Failure("ICU has no normalisation");
  const icu::UnicodeString text = normaliser->normalize(to_utf16(name), error);
  return icu_failed(error) ? std::string(name) : to_utf8(text);
}

}  // namespace

std::string composed(std::string_view name) {
  return in_form(name, [](UErrorCode& error) { return icu::Normalizer2::getNFCInstance(error); });
}

std::string decomposed(std::string_view name) {
  return in_form(name, [](UErrorCode& error) { return icu::Normalizer2::getNFDInstance(error); });
}

std::string folded_case(std::string_view name) {
  if (!is_ascii(name) && is_utf8(name)) return to_utf8(to_utf16(name).foldCase());
  std::string result(name);
  for (char& c : result) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return result;
}

}  // namespace hinny
