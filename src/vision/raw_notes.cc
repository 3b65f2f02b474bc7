#include "vision/raw_notes.h"

#include <string>
#include <string_view>

#include "vision/tiff_notes.h"

namespace hinny {
namespace {

using namespace std::string_view_literals;

// Calls use(type, begin, size) for each box between two places.
template <typename Use>
void for_each_box_between(const NoteBytes& file, std::uint64_t at, std::uint64_t end,
                          const Use& use) {
  constexpr int kMostBoxes = 1000;
  for (int i = 0; i < kMostBoxes && at + 8 <= end; ++i) {
    const std::string head = file.at(at, 16);
    if (head.size() < 8) return;
    std::uint64_t size = NoteBytes::number_in(head, 4, true), begin = 8;
    if (size == 1) {
      size = NoteBytes::number_in(std::string_view(head).substr(8), 8, true);
      begin = 16;
    }
    if (size < begin || size > end - at) return;
    use(head.substr(4, 4), at + begin, size - begin);
    at += size;
  }
}

}  // namespace

std::uint64_t raf_preview(const NoteBytes& file) {
  constexpr std::uint64_t kPlace = 84;
  return file.at(0, 15) == "FUJIFILMCCD-RAW"sv ? file.number(kPlace, 4, true) : 0;
}

void read_cr3_notes(const NoteBytes& file, PictureNotes& notes) {
  constexpr std::string_view kCanon =
      "\x85\xC0\xB6\x87\x82\x0F\x11\xE0\x81\x11\xF4\xCE\x46\x2B\x6A\x48";
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U,
                          kMostOfOne = std::uint64_t{1} << 20U;
  const auto add = [&](const std::string& type, std::uint64_t at, std::uint64_t size) {
    if (!type.starts_with("CMT") || size > kMostOfOne) return;
    const std::string block = file.at(at, static_cast<std::size_t>(size));
    // Directories of TIFF, each a file of its own: the usual one, EXIF's, the maker's, the place's.
    if (type == "CMT1" || type == "CMT2") read_tiff_notes(NoteBytes(block), notes);
    if (type == "CMT4") read_tiff_place(NoteBytes(block), notes);
  };
  for_each_box_between(file, 0, kMostBytes, [&](const std::string& type, auto at, auto size) {
    if (type != "moov") return;
    for_each_box_between(file, at, at + size, [&](const std::string& below, auto from, auto bytes) {
      if (below != "uuid" || bytes < kCanon.size() || file.at(from, kCanon.size()) != kCanon)
        return;
      for_each_box_between(file, from + kCanon.size(), from + bytes, add);
    });
  });
}

}  // namespace hinny
