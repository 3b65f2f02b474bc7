#include "data/id_spelling.h"

#include <fmt/format.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "text/characters.h"
#include "text/name_forms.h"
#include "text/utf16.h"

namespace hinny {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string without_folder(std::string id) {
  return id.substr(id.find_last_of("/\\") + 1);  // npos + 1 is 0
}

std::string without_number(std::string id) { return id.substr(0, id.find('#')); }

std::string without_ending(std::string id) {
  const std::size_t dot = id.rfind('.');
  if (dot == std::string::npos || dot == 0) return id;
  const std::string_view ending = std::string_view(id).substr(dot + 1);
  const bool plausible =
      ending.size() >= 2 && ending.size() <= 5 && std::ranges::any_of(ending, is_letter) &&
      std::ranges::all_of(ending, [](char c) { return is_letter(c) || is_digit(c); });
  return plausible ? id.substr(0, dot) : id;
}

// COCO_val2014_000000391895, and Flickr's number with its secret: 1000268201_693b08cb0e.
std::string number_alone(std::string id) {
  if (id.starts_with("COCO_") || id.starts_with("coco_")) return id.substr(id.rfind('_') + 1);
  const std::size_t at = id.find('_');
  if (at == std::string::npos || id.size() - at != 11) return id;
  const bool flickr =
      std::all_of(id.begin(), id.begin() + static_cast<std::ptrdiff_t>(at), is_digit);
  return flickr ? id.substr(0, at) : id;
}

std::string without_zeros(std::string id) {
  if (id.empty() || !std::ranges::all_of(id, is_digit)) return id;
  return id.substr(std::min(id.find_first_not_of('0'), id.size() - 1));
}

std::string without_invisible(std::string id) {
  icu::UnicodeString seen;
  const icu::UnicodeString text = to_utf16(id);
  for (std::int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const UChar32 letter = text.char32At(at);
    const bool hidden = u_isUWhiteSpace(letter) != 0 || u_iscntrl(letter) != 0 ||
                        u_hasBinaryProperty(letter, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
    if (!hidden) seen.append(letter);
  }
  return to_utf8(seen);
}

std::string folded(std::string id) { return folded_case(id); }

struct Step {
  std::string_view name;
  std::string (*apply)(std::string);
};
constexpr std::array kSteps = {
    Step{"blanks or invisible characters", without_invisible},
    Step{"Unicode normalisation", [](std::string id) { return composed(id); }},
    Step{"the folder", without_folder},
    Step{"the part after '#'", without_number},
    Step{"the ending", without_ending},
    Step{"what stands around the number", number_alone},
    Step{"zeros in front", without_zeros},
    Step{"capitals", folded}};

std::string key_without(std::string id, const Step* left_out) {
  for (const Step& step : kSteps) {
    if (&step != left_out) id = step.apply(std::move(id));
  }
  return id;
}

}  // namespace

std::vector<std::string_view> spelling_differences(std::string_view a, std::string_view b) {
  std::vector<std::string_view> found;
  const std::string key = key_without(std::string(a), nullptr);
  if (key.empty() || key != key_without(std::string(b), nullptr)) return found;
  for (const Step& step : kSteps) {
    if (key_without(std::string(a), &step) != key_without(std::string(b), &step)) {
      found.push_back(step.name);
    }
  }
  return found;
}

void IdSpellings::add(std::string_view id) {
  by_key_.try_emplace(key_without(std::string(id), nullptr), id);
}

std::string IdSpellings::near(std::string_view id) const {
  const auto found = by_key_.find(key_without(std::string(id), nullptr));
  if (found == by_key_.end()) return "";
  const auto differences = spelling_differences(found->second, id);
  if (differences.empty()) return "";
  std::string text = fmt::format("'{}', which differs in ", found->second);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (i > 0) text += i + 1 < differences.size() ? ", " : " and ";
    text += differences[i];
  }
  return text;
}

}  // namespace hinny
