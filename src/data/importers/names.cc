#include "data/importers/names.h"

#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/error.h"
#include "text/icu_status.h"

namespace hinny {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

bool all_of(std::string_view text, bool (*is)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is);
}

// Flickr's photo number, an underscore and its ten-digit secret.
std::string_view flickr_number(std::string_view stem) {
  const std::size_t at = stem.find('_');
  if (at == std::string_view::npos || stem.size() - at != 11) return {};
  return all_of(stem.substr(0, at), is_digit) && all_of(stem.substr(at + 1), is_hex)
             ? stem.substr(0, at)
             : std::string_view{};
}

std::string_view coco_number(std::string_view stem) {
  constexpr std::size_t kDigits = 12;
  if (!stem.starts_with("COCO_") || stem.size() < 5 + kDigits) return {};
  std::string_view number = stem.substr(stem.size() - kDigits);
  if (!all_of(number, is_digit)) return {};
  return number.substr(std::min(number.find_first_not_of('0'), kDigits - 1));
}

std::size_t rank(std::string_view split) {
  constexpr std::array<std::string_view, 3> kFirst{"train", "val", "test"};
  return static_cast<std::size_t>(std::find(kFirst.begin(), kFirst.end(), split) - kFirst.begin());
}

}  // namespace

std::string image_id_of_file(std::string_view name) {
  name = name.substr(0, name.find('#'));
  name = name.substr(name.find_last_of('/') + 1);  // npos + 1 is 0
  const std::size_t dot = name.find_last_of('.');
  if (dot != std::string_view::npos && dot > 0) name = name.substr(0, dot);
  if (const auto number = flickr_number(name); !number.empty()) return std::string(number);
  if (const auto number = coco_number(name); !number.empty()) return std::string(number);
  return std::string(name);
}

bool names_a_file(std::string_view name) {
  constexpr std::array<std::string_view, 25> kEndings{
      "jpg",  "jpeg", "jpe",  "jfif", "png", "webp", "gif", "bmp", "tif",
      "tiff", "heic", "heif", "avif", "npy", "npz",  "jxl", "dng", "cr2",
      "cr3",  "nef",  "arw",  "raf",  "orf", "rw2",  "pef"};
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  std::string ending(name.substr(dot + 1));
  for (char& c : ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return std::ranges::find(kEndings, ending) != kEndings.end();
}

bool split_before(const std::string& a, const std::string& b) {
  return rank(a) != rank(b) ? rank(a) < rank(b) : a < b;
}

std::string_view trimmed(std::string_view text) {
  static const icu::UnicodeSet* const spaces = [] {
    UErrorCode status = U_ZERO_ERROR;
    auto* set = new icu::UnicodeSet(UNICODE_STRING_SIMPLE("[:White_Space:]"), status);
    if (icu_failed(status)) throw Failure(std::string("ICU: ") + u_errorName(status));
    return set->freeze();  // lives as long as the program
  }();
  const auto size = static_cast<std::int32_t>(text.size());
  const std::int32_t end = spaces->spanBackUTF8(text.data(), size, USET_SPAN_CONTAINED);
  const std::int32_t begin = spaces->spanUTF8(text.data(), end, USET_SPAN_CONTAINED);
  return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

std::string_view trimmed_id(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t") + 1;  // npos + 1 is 0
  return text.substr(begin, std::max(begin, end) - begin);
}

}  // namespace hinny
