#include "vision/picture_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "vision/picture.h"
#include "vision/picture_notes.h"
#include "vision/xmp_facts.h"

namespace hinny {
namespace {

// Up to its first NUL, without blanks around it; "" where that is no UTF-8.
std::string plain(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  const std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos || !is_utf8(text)) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// The model, with its maker before it where it does not name that: "NIKON D750" of NIKON
// CORPORATION, "Apple iPhone 12".
std::string camera_name(std::string_view make, std::string_view model) {
  std::string maker = plain(make), name = plain(model);
  if (name.empty() || maker.empty()) return name.empty() ? maker : name;
  const std::string first = maker.substr(0, maker.find(' '));
  if (same_letters(std::string_view(name).substr(0, first.size()), first)) return name;
  return maker + " " + name;
}

// Cameras that do not know a number write 0, or what is none.
bool is_known(const std::optional<double>& number, double most) {
  return number && *number > 0 && *number <= most;
}

// As photographers write it.
std::string exposure_text(const PictureNotes& notes) {
  constexpr double kLongest = 1e6, kMost = 1e5, kShortest = 1e-6, kFraction = 0.3;
  std::vector<std::string> parts;
  if (is_known(notes.exposure, kLongest) && *notes.exposure >= kShortest) {
    parts.push_back(*notes.exposure <= kFraction
                        ? fmt::format("1/{} s", std::llround(1 / *notes.exposure))
                        : fmt::format("{:.3g} s", *notes.exposure));
  }
  if (is_known(notes.aperture, kMost)) parts.push_back(fmt::format("f/{:.3g}", *notes.aperture));
  if (is_known(notes.speed, kLongest * kMost)) {
    parts.push_back(fmt::format("ISO {:.0f}", *notes.speed));
  }
  if (is_known(notes.focal_length, kMost)) {
    parts.push_back(fmt::format("{:.3g} mm", *notes.focal_length));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::int64_t pixels(const std::optional<double>& side) {
  return is_known(side, static_cast<double>(kMostStatedPixels)) ? std::llround(*side) : 0;
}

// What programs wrote, into the file or beside it.
std::optional<Coordinates> written_place(const std::filesystem::path& file,
                                         const PictureNotes& notes) {
  for (const std::string& xmp : {notes.xmp, notes.more_xmp, xmp_beside(file)}) {
    if (const auto place = xmp_facts(xmp).place) return place;
  }
  return std::nullopt;
}

}  // namespace

PictureFacts picture_facts(const std::filesystem::path& file) {
  const PictureNotes notes = picture_notes(file);
  PictureFacts facts = noted_facts(taken_at(file, notes), notes);
  if (!facts.place) facts.place = written_place(file, notes);
  return facts;
}

PictureFacts noted_facts(const std::optional<Taken>& taken, const PictureNotes& notes) {
  return {taken,
          noted_place(notes.latitude, notes.longitude),
          camera_name(notes.make, notes.model),
          plain(notes.lens),
          exposure_text(notes),
          pixels(notes.width),
          pixels(notes.height),
          notes.frames.value_or(1) > 1};
}

}  // namespace hinny
