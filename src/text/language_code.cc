#include "text/language_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <vector>

#include "base/error.h"
#include "text/icu_status.h"

namespace hinny {
namespace {

constexpr std::size_t kLongestCode = 35;  // RFC 5646, 4.4.1

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The first part of a tag: "deu" of "deu-Latn".
std::string_view first_part(std::string_view tag) { return tag.substr(0, tag.find('-')); }

// "de", "deu-Latn", "pt-BR", "zh-Hant-TW": a code, whatever ICU says of it. Not "und", which stands
// for no language.
bool is_surely_code(const std::string& tag) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = tag; parts.size() < 4; rest.remove_prefix(parts.back().size() + 1)) {
    parts.push_back(first_part(rest));
    if (parts.back().size() == rest.size()) break;
  }
  const auto letters = [&](std::size_t part, std::size_t size) {
    return part < parts.size() && parts[part].size() == size &&
           std::ranges::all_of(parts[part], is_letter);
  };
  const auto lower = [](char c) { return static_cast<char>(c | 0x20); };
  if (!letters(0, 2) && !letters(0, 3)) return false;
  if (std::ranges::equal(parts.front(), std::string_view("und"), {}, lower)) return false;
  const std::size_t script = letters(1, 4) ? 1 : 0, region = letters(script + 1, 2) ? 1 : 0;
  return parts.size() == 1 + script + region;
}

// Where ICU knows no such code: for want of memory it says the same of codes that it knows.
std::nullopt_t no_code(const std::string& tag) {
  if (is_surely_code(tag)) throw std::bad_alloc();
  return std::nullopt;
}

std::optional<icu::Locale> well_formed(const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale locale = icu::Locale::forLanguageTag(tag, status);
  if (icu_failed(status)) return no_code(tag);
  // Of a code that is none ICU says so; of no memory this alone.
  if (locale.isBogus() && tag.size() <= kLongestCode) throw std::bad_alloc();
  if (locale.isBogus()) return std::nullopt;
  if (locale.getLanguage()[0] == '\0') return no_code(tag);
  locale.canonicalize(status);
  if (icu_failed(status)) return no_code(tag);
  return locale;
}

std::optional<icu::Locale> read(std::string_view code) {
  std::string tag(code);
  std::ranges::replace(tag, '_', '-');
  const std::string_view language = first_part(tag);
  const bool plain = (language.size() == 2 || language.size() == 3) &&
                     std::ranges::all_of(language, is_letter) && tag.size() <= kLongestCode;
  return plain ? well_formed(tag) : std::nullopt;
}

// Varieties that are written like another language, or are a part of it in ISO 639-3.
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> kWrittenLike = {
    {{"acm", "ar"}, {"acq", "ar"}, {"aeb", "ar"}, {"afb", "ar"}, {"ajp", "ar"}, {"apc", "ar"},
     {"apd", "ar"}, {"arq", "ar"}, {"ars", "ar"}, {"ary", "ar"}, {"arz", "ar"}, {"cdo", "zh"},
     {"gan", "zh"}, {"hak", "zh"}, {"hsn", "zh"}, {"lzh", "zh"}, {"nan", "zh"}, {"wuu", "zh"},
     {"yue", "zh"}, {"nb", "no"},  {"nn", "no"},  {"quy", "qu"}, {"quz", "qu"}}};

std::string written_like(std::string_view language) {
  for (const auto& [variety, whole] : kWrittenLike) {
    if (variety == language) return std::string(whole);
  }
  return std::string(language);
}

struct Subtags {
  std::string base, script, region;
};

Subtags likely(const icu::Locale& locale) {
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale full(locale);
  full.addLikelySubtags(status);
  const icu::Locale& best = icu_failed(status) ? locale : full;
  return {written_like(locale.getLanguage()), best.getScript(), best.getCountry()};
}

}  // namespace

std::optional<std::string> canonical_language(std::string_view code) {
  std::optional<icu::Locale> locale = read(code);
  if (!locale) return {};
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale without(locale->getLanguage(), locale->getCountry(), locale->getVariant());
  if (locale->getScript()[0] != '\0' && likely(without).script == locale->getScript()) {
    locale = without;
  }
  auto tag = locale->toLanguageTag<std::string>(status);
  if (icu_failed(status)) return {};
  return tag;
}

std::string base_language(const std::string& code) {
  return written_like(locale_of(code).getLanguage());
}

icu::Locale locale_of(const std::string& language) {
  if (const auto locale = read(language)) return *locale;
  if (const auto locale = well_formed(language)) return *locale;
  throw InputError(fmt::format("language '{}'", language), kLanguageCodeRule);
}

std::optional<std::string> find_language(std::span<const std::string> languages,
                                         std::string_view code) {
  if (std::ranges::find(languages, code) != languages.end()) return std::string(code);
  const auto canonical = canonical_language(code);
  if (!canonical) return {};
  const Subtags asked = likely(*read(code));
  std::vector<std::string> nearest;
  int best = -1;
  for (const std::string& language : languages) {
    const auto own = canonical_language(language);
    if (!own) continue;
    if (*own == *canonical) return language;
    const Subtags subtags = likely(*read(language));
    if (subtags.base != asked.base) continue;
    const int near = (subtags.script == asked.script ? 4 : 0) +
                     (subtags.region == asked.region ? 2 : 0) + (*own == subtags.base ? 1 : 0);
    if (near > best) nearest.clear();
    if (near >= best) nearest.push_back(language);
    best = std::max(best, near);
  }
  if (nearest.size() != 1) return {};
  return nearest.front();
}

std::string languages_expected(std::span<const std::string> languages) {
  return fmt::format("{}, or another code of one of them, such as pt-BR, por or por_Latn of pt",
                     fmt::join(languages, ", "));
}

}  // namespace hinny
