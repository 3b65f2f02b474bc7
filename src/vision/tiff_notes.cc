#include "vision/tiff_notes.h"

#include <algorithm>
#include <optional>

namespace hinny {
namespace {

constexpr std::size_t kMostEntries = 4096, kMostTime = 64, kMostName = 256,
                      kMostXmp = std::size_t{1} << 24U;
constexpr std::uint64_t kXmp = 700, kWritten = 306, kExif = 34665, kOriginal = 36867,
                        kDigitized = 36868, kMake = 271, kModel = 272, kLens = 42036,
                        kPlace = 34853, kExposure = 33434, kAperture = 33437, kSpeed = 34855,
                        kFocalLength = 37386;
constexpr std::uint64_t kLatitudeSide = 1, kLatitude = 2, kLongitudeSide = 3, kLongitude = 4;

class Directories {
 public:
  Directories(const NoteBytes& file, PictureNotes& notes) : file_(file), notes_(notes) {}

  void read() {
    if (const std::uint64_t at = first()) directory(at, true);
  }
  void read_place() {
    if (const std::uint64_t at = first()) read_place(at);
  }

 private:
  // Where the first directory is, or 0.
  std::uint64_t first() {
    const std::string head = file_.at(0, 16);
    if (head.size() < 16) return 0;  // no directory fits into less
    big_ = head.starts_with("MM");
    if (!big_ && !head.starts_with("II")) return 0;
    const std::uint64_t version = NoteBytes::number_in(head.substr(2), 2, big_);
    wide_ = version == 43;
    const bool raw = version == 0x4F52 || version == 0x5352 || version == 0x55;  // "RO", "RS", "U"
    if (version != 42 && !wide_ && !raw) return 0;
    const std::size_t size = wide_ ? 8 : 4;
    return NoteBytes::number_in(head.substr(size), size, big_);
  }

  void directory(std::uint64_t at, bool first) {
    const std::size_t entry = wide_ ? 20 : 12, count_size = wide_ ? 8 : 2;
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(file_.number(at, count_size, big_), kMostEntries));
    if (at == 0 || count == 0) return;
    const std::string entries = file_.at(at + count_size, count * entry);
    std::uint64_t below = 0, place_below = 0;
    for (std::size_t i = 0; i + entry <= entries.size(); i += entry) {
      const std::string_view one = std::string_view(entries).substr(i, entry);
      switch (NoteBytes::number_in(one, 2, big_)) {
        case kOriginal:  // in the first directory, too: TIFF/EP
          keep(notes_.original, one, kMostTime);
          break;
        case kDigitized:
          keep(notes_.digitized, one, kMostTime);
          break;
        case kWritten:
          if (first) keep(notes_.written, one, kMostTime);
          break;
        case kXmp:
          if (first) keep(notes_.xmp, one, kMostXmp);
          break;
        case kMake:
          if (first) keep(notes_.make, one, kMostName);
          break;
        case kModel:
          if (first) keep(notes_.model, one, kMostName);
          break;
        case kLens:
          keep(notes_.lens, one, kMostName);
          break;
        case kExposure:
          keep(notes_.exposure, one);
          break;
        case kAperture:
          keep(notes_.aperture, one);
          break;
        case kSpeed:
          keep(notes_.speed, one);
          break;
        case kFocalLength:
          keep(notes_.focal_length, one);
          break;
        case kExif:
          below = offset_in(one);
          break;
        case kPlace:
          place_below = offset_in(one);
          break;
        default:
          break;
      }
    }
    if (first && below != 0) directory(below, false);
    if (first && place_below != 0) read_place(place_below);
  }

  std::uint64_t offset_in(std::string_view entry) const {
    return NoteBytes::number_in(entry.substr(wide_ ? 12 : 8), wide_ ? 8 : 4, big_);
  }

  void read_place(std::uint64_t at) {
    constexpr std::size_t kMostOfPlace = 64;
    const std::size_t entry = wide_ ? 20 : 12, count_size = wide_ ? 8 : 2;
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(file_.number(at, count_size, big_), kMostOfPlace));
    const std::string entries = file_.at(at + count_size, count * entry);
    std::string north, east;
    std::optional<double> latitude, longitude;
    for (std::size_t i = 0; i + entry <= entries.size(); i += entry) {
      const std::string_view one = std::string_view(entries).substr(i, entry);
      const std::uint64_t tag = NoteBytes::number_in(one, 2, big_);
      if (tag == kLatitudeSide) keep(north, one, 2);
      if (tag == kLongitudeSide) keep(east, one, 2);
      if (tag == kLatitude) latitude = degrees(one);
      if (tag == kLongitude) longitude = degrees(one);
    }
    if (notes_.latitude || !latitude || !longitude) return;
    notes_.latitude = north.starts_with('S') ? -*latitude : *latitude;
    notes_.longitude = east.starts_with('W') ? -*longitude : *longitude;
  }

  // Degrees, minutes and seconds, each of two whole numbers; some writers leave out the last.
  std::optional<double> degrees(std::string_view entry) const {
    constexpr std::uint64_t kRational = 5;
    constexpr std::size_t kParts = 3, kOne = 8;
    if (NoteBytes::number_in(entry.substr(2), 2, big_) != kRational) return std::nullopt;
    const auto count =
        std::min<std::uint64_t>(kParts, NoteBytes::number_in(entry.substr(4), wide_ ? 8 : 4, big_));
    const std::string numbers = wide_ && count == 1 ? std::string(entry.substr(12, kOne))
                                                    : file_.at(offset_in(entry), count * kOne);
    if (count == 0 || numbers.size() < count * kOne) return std::nullopt;
    double sum = 0, unit = 1;
    for (std::size_t i = 0; i < count; ++i, unit *= 60) {
      const std::string_view one = std::string_view(numbers).substr(i * kOne);
      if (i > 0 && NoteBytes::number_in(one, 4, big_) == 0) continue;  // 0/0: no seconds are known
      sum += ratio(one) / unit;
    }
    return sum;
  }

  // Of two whole numbers of 4 bytes.
  double ratio(std::string_view two) const {
    return static_cast<double>(NoteBytes::number_in(two, 4, big_)) /
           static_cast<double>(NoteBytes::number_in(two.substr(4), 4, big_));
  }

  // The first of its numbers: a whole one, or one of two.
  void keep(std::optional<double>& number, std::string_view entry) const {
    constexpr std::uint64_t kShort = 3, kLong = 4, kRational = 5;
    const std::uint64_t type = NoteBytes::number_in(entry.substr(2), 2, big_);
    const std::string_view value = entry.substr(wide_ ? 12 : 8);
    if (number || NoteBytes::number_in(entry.substr(4), wide_ ? 8 : 4, big_) == 0) return;
    if (type == kShort || type == kLong) {
      number = static_cast<double>(NoteBytes::number_in(value, type == kShort ? 2 : 4, big_));
    } else if (type == kRational) {
      const std::string parts = wide_ ? std::string(value) : file_.at(offset_in(entry), 8);
      if (parts.size() >= 8) number = ratio(parts);
    }
  }

  // A value of single bytes, whatever it says they are.
  void keep(std::string& text, std::string_view entry, std::size_t most) const {
    const std::size_t size = wide_ ? 8 : 4;
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(NoteBytes::number_in(entry.substr(4), size, big_), most));
    const std::string_view value = entry.substr(4 + size);
    std::string read = count <= size ? std::string(value.substr(0, count))
                                     : file_.at(NoteBytes::number_in(value, size, big_), count);
    if (text.empty()) text = std::move(read);
  }

  const NoteBytes& file_;
  PictureNotes& notes_;
  bool big_ = false, wide_ = false;
};

}  // namespace

void read_tiff_notes(const NoteBytes& file, PictureNotes& notes) {
  Directories(file, notes).read();
}
void read_tiff_place(const NoteBytes& file, PictureNotes& notes) {
  Directories(file, notes).read_place();
}

}  // namespace hinny
