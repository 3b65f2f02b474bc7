#include "vision/picture_facts.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"
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
  return {taken, noted_place(notes.latitude, notes.longitude), camera_name(notes.make, notes.model),
          plain(notes.lens)};
}

}  // namespace hinny
