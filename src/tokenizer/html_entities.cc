#include "tokenizer/html_entities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "tokenizer/letters.h"

namespace hinny {
namespace {

constexpr UChar32 kReplacement = 0xFFFD;
constexpr std::size_t kLongestName = 12;

// Those of U+00A0 to U+00FF, in order.
constexpr std::array<std::string_view, 96> kLatinNames = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

const std::map<std::string_view, UChar32>& entity_names() {
  static const std::map<std::string_view, UChar32> names = [] {
    std::map<std::string_view, UChar32> all = {
        {"amp", '&'},       {"lt", '<'},        {"gt", '>'},        {"quot", '"'},
        {"apos", '\''},     {"euro", 0x20AC},   {"hellip", 0x2026}, {"ndash", 0x2013},
        {"mdash", 0x2014},  {"lsquo", 0x2018},  {"rsquo", 0x2019},  {"ldquo", 0x201C},
        {"rdquo", 0x201D},  {"bull", 0x2022},   {"trade", 0x2122},  {"hearts", 0x2665},
        {"OElig", 0x152},   {"oelig", 0x153},   {"Scaron", 0x160},  {"scaron", 0x161},
        {"lsaquo", 0x2039}, {"rsaquo", 0x203A}, {"sbquo", 0x201A},  {"bdquo", 0x201E}};
    for (std::size_t i = 0; i < kLatinNames.size(); ++i) {
      all.emplace(kLatinNames[i], static_cast<UChar32>(0xA0 + i));
    }
    return all;
  }();
  return names;
}

// Of what stands between "&" and ";"; 0: none.
UChar32 entity(std::string_view name) {
  if (!name.starts_with('#')) {
    const auto found = entity_names().find(name);
    return found == entity_names().end() ? 0 : found->second;
  }
  name.remove_prefix(1);
  const bool hexadecimal = name.starts_with('x') || name.starts_with('X');
  if (hexadecimal) name.remove_prefix(1);
  std::uint32_t value = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), value, hexadecimal ? 16 : 10);
  if (name.empty() || end != name.data() + name.size()) return 0;
  const bool letter =
      error == std::errc() && value > 0 && value < 0x110000 && (value < 0xD800 || value > 0xDFFF);
  return letter ? static_cast<UChar32>(value) : kReplacement;
}

}  // namespace

std::string without_entities(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const std::size_t end = rest.front() == '&' ? rest.substr(0, kLongestName).find(';') : 0;
    const UChar32 letter =
        end == 0 || end == std::string_view::npos ? 0 : entity(rest.substr(1, end - 1));
    if (letter == 0) {
      result += rest.front();
      ++at;
    } else {
      append_letter(letter, result);
      at += end + 1;
    }
  }
  return result;
}

}  // namespace hinny
