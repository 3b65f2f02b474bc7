// For tests: raw pictures (DNG), written byte by byte.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "vision/picture_files_fixture.h"

namespace hinny {

struct RawKind {
  std::uint32_t width = 128, height = 96;
  std::string preview{};  // a JPEG file
  std::uint32_t turned = 1;
  bool linear = false;  // three colours a pixel, as after demosaicing
};

// A directory of TIFF and what it points to, at a place of the file.
class TiffDirectory {
 public:
  void short_(std::uint32_t tag, std::uint32_t value) { add(tag, 3, 1, tiff_number(value, 2)); }
  void long_(std::uint32_t tag, std::uint32_t value) { add(tag, 4, 1, tiff_number(value, 4)); }
  void bytes(std::uint32_t tag, std::string value) {
    const auto count = static_cast<std::uint32_t>(value.size());
    add(tag, 1, count, std::move(value));
  }
  void text(std::uint32_t tag, const std::string& value) {
    add(tag, 2, static_cast<std::uint32_t>(value.size() + 1), value + std::string(1, '\0'));
  }
  void shorts(std::uint32_t tag, const std::vector<std::uint32_t>& values) {
    std::string all;
    for (const std::uint32_t one : values) all += tiff_number(one, 2);
    add(tag, 3, static_cast<std::uint32_t>(values.size()), all);
  }
  // Each over 10,000. `type` 5: of whole numbers, 10: with a sign.
  void fractions(std::uint32_t tag, std::uint32_t type, const std::vector<int>& values) {
    std::string all;
    for (const int one : values)
      all += tiff_number(static_cast<std::uint32_t>(one), 4) + tiff_number(10000, 4);
    add(tag, type, static_cast<std::uint32_t>(values.size()), all);
  }
  std::uint32_t size() const {
    std::size_t all = 2 + 12 * entries_.size() + 4;
    for (const auto& [tag, entry] : entries_)
      all += entry.value.size() > 4 ? entry.value.size() : 0;
    return static_cast<std::uint32_t>(all);
  }
  std::string at(std::uint32_t place) const {
    std::string head = tiff_number(static_cast<std::uint32_t>(entries_.size()), 2), behind;
    const auto begin = static_cast<std::uint32_t>(place + 2 + 12 * entries_.size() + 4);
    for (const auto& [tag, entry] : entries_) {
      head += tiff_number(tag, 2) + tiff_number(entry.type, 2) + tiff_number(entry.count, 4);
      std::string value = entry.value;
      if (value.size() > 4) {
        head += tiff_number(begin + static_cast<std::uint32_t>(behind.size()), 4);
        behind += value;
      } else {
        value.resize(4, '\0');
        head += value;
      }
    }
    return head + tiff_number(0, 4) + behind;
  }

 private:
  struct Entry {
    std::uint32_t type = 0, count = 0;
    std::string value{};
  };
  void add(std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::string value) {
    entries_[tag] = {type, count, std::move(value)};
  }
  std::map<std::uint32_t, Entry> entries_;  // by tag, as they have to stand
};

// The left half red, the right half blue; taken at 2021-05-06 07:08:09 by a "Hinny Box One" with a
// lens "Glass 35" in Zurich.
inline std::string dng_file(const RawKind& kind = {}) {
  std::string pixels;
  for (std::uint32_t y = 0; y < kind.height; ++y) {
    for (std::uint32_t x = 0; x < kind.width; ++x) {
      const bool left = 2 * x < kind.width;
      const std::uint32_t bright = 40000 + (x * 7 + y * 13) % 64, dark = 2000;
      if (kind.linear) {
        pixels += tiff_number(left ? bright : dark, 2) + tiff_number(dark, 2) +
                  tiff_number(left ? dark : bright, 2);
      } else {
        const bool red = y % 2 == 0 && x % 2 == 0, blue = y % 2 == 1 && x % 2 == 1;
        pixels += tiff_number((left ? red : blue) ? bright : dark, 2);
      }
    }
  }
  TiffDirectory exif, place, main, sensor;
  exif.text(36867, "2021:05:06 07:08:09");
  exif.text(42036, "Glass 35");
  place.text(1, "N");
  place.fractions(2, 5, {470000, 220000, 370000});
  place.text(3, "E");
  place.fractions(4, 5, {80000, 320000, 300000});
  const bool apart = !kind.preview.empty();
  TiffDirectory& raw = apart ? sensor : main;
  raw.long_(254, 0);
  raw.long_(256, kind.width);
  raw.long_(257, kind.height);
  raw.shorts(258, std::vector<std::uint32_t>(kind.linear ? 3 : 1, 16));
  raw.short_(259, 1);
  raw.short_(262, kind.linear ? 34892 : 32803);
  raw.short_(277, kind.linear ? 3 : 1);
  raw.long_(278, kind.height);
  raw.long_(279, static_cast<std::uint32_t>(pixels.size()));
  if (!kind.linear) {
    raw.shorts(33421, {2, 2});
    raw.bytes(33422, std::string("\0\1\1\2", 4));
  }
  raw.short_(50717, 65535);
  main.text(271, "Hinny");
  main.text(272, "Box One");
  main.short_(274, kind.turned);
  main.bytes(50706, std::string("\1\4\0\0", 4));
  main.text(50708, "Hinny Box One");
  main.fractions(50721, 10, {10000, 0, 0, 0, 10000, 0, 0, 0, 10000});
  main.fractions(50728, 5, {10000, 10000, 10000});
  if (apart) {
    main.long_(254, 1);
    main.long_(256, 160);  // whatever it says, the JPEG knows
    main.long_(257, 120);
    main.shorts(258, {8, 8, 8});
    main.short_(259, 7);
    main.short_(262, 6);
    main.short_(277, 3);
    main.long_(278, 120);
    main.long_(279, static_cast<std::uint32_t>(kind.preview.size()));
  }
  // What a directory takes does not depend on the places that are written into it.
  for (const std::uint32_t tag : {34665U, 34853U, 273U}) main.long_(tag, 0);
  sensor.long_(273, 0);
  if (apart) main.long_(330, 0);
  const std::uint32_t exif_at = 8 + main.size(), place_at = exif_at + exif.size(),
                      sensor_at = place_at + place.size(),
                      preview_at = sensor_at + (apart ? sensor.size() : 0),
                      pixels_at = preview_at + static_cast<std::uint32_t>(kind.preview.size());
  main.long_(34665, exif_at);
  main.long_(34853, place_at);
  if (apart) main.long_(330, sensor_at);
  if (apart) main.long_(273, preview_at);
  raw.long_(273, pixels_at);
  return "II*" + std::string(1, '\0') + tiff_number(8, 4) + main.at(8) + exif.at(exif_at) +
         place.at(place_at) + (apart ? sensor.at(sensor_at) : "") + kind.preview + pixels;
}

}  // namespace hinny
