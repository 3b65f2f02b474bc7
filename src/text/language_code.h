// Codes of languages as people and collections write them, and which of several one of them means.
#pragma once

#include <unicode/locid.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hinny {

// What an error says was expected.
inline constexpr const char* kLanguageCodeRule =
    "a code of BCP 47, ISO 639 or FLORES, such as de, pt-BR, deu or deu_Latn";

// The one spelling, BCP 47's canonical one, of a code written in any: "DE", "deu", "ger" and
// "deu_Latn" are codes of German, "iw" of Hebrew, "cmn" and "zh_CN" of Chinese. "deu_Latn" becomes
// "de": a script that the language is written in anyway is no part of the code. Nothing for what is
// no code: its language must be two or three letters.
std::optional<std::string> canonical_language(std::string_view code);
inline bool is_language_code(std::string_view code) { return canonical_language(code).has_value(); }

// The language itself, by which rules of words are chosen: "zh" of "zh-Hant-TW"; the one that a
// spoken variety is written like, "ar" of "arz". InputError when it is no code.
std::string base_language(const std::string& code);

// For ICU. Also takes any other well-formed tag ("german"), as files of earlier versions hold them.
// InputError when it is none.
icu::Locale locale_of(const std::string& language);

// Which of `languages` a code means: the same code; else the same language, script and region
// spelled otherwise; else the same language, the same script first, then the same region ("de-AT"
// means de, "zh-Hant-TW" zh-Hant or zh). Nothing when none is, or several are equally near.
std::optional<std::string> find_language(std::span<const std::string> languages,
                                         std::string_view code);

// For an error: "de, fr, or another code of one of them, such as ...".
std::string languages_expected(std::span<const std::string> languages);

}  // namespace hinny
