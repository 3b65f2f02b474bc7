#include "vision/tiff.h"

#include <fmt/format.h>

#include <vector>

namespace hinny {
namespace {

enum Tag : std::uint32_t {
  kWidth = 256,
  kHeight = 257,
  kStripOffsets = 273,
  kOrientation = 274,
  kRowsPerStrip = 278,
  kStripBytes = 279,
  kTileWidth = 322,
  kTileHeight = 323,
  kTileOffsets = 324,
  kTileBytes = 325,
};

// The first directory of a file.
class TiffDirectory {
 public:
  explicit TiffDirectory(const BoundedBytes& file)
      : file_(file), little_(file.has(0, "II")), start_(number(4, 4)), entries_(number(start_, 2)) {
    file_.byte(start_ + 2 + entries_ * std::size_t{12} - 1);  // all are there
  }

  // What an entry holds: whole numbers of 2 or 4 bytes; none where it is missing.
  std::vector<std::uint32_t> numbers(Tag tag) const {
    for (std::size_t at = start_ + 2; at < start_ + 2 + entries_ * std::size_t{12}; at += 12) {
      if (number(at, 2) == tag) return values(at);
    }
    return {};
  }
  std::uint32_t one(Tag tag, std::uint32_t otherwise) const {
    const std::vector<std::uint32_t> all = numbers(tag);
    return all.empty() ? otherwise : all.front();
  }

 private:
  std::uint32_t number(std::size_t at, int bytes) const {
    if (bytes == 2) return little_ ? file_.little16(at) : file_.big16(at);
    return little_ ? file_.little32(at) : file_.big32(at);
  }
  std::vector<std::uint32_t> values(std::size_t entry) const {
    const std::uint32_t type = number(entry + 2, 2);
    if (type != 3 && type != 4) throw RequestError("the TIFF picture is corrupt");
    const int bytes = type == 3 ? 2 : 4;
    const std::size_t size = std::size_t{number(entry + 4, 4)} * static_cast<std::size_t>(bytes);
    const std::size_t at = size <= 4 ? entry + 8 : number(entry + 8, 4);
    if (size > 0) file_.byte(at + size - 1);  // before memory is taken for them
    std::vector<std::uint32_t> all(size / static_cast<std::size_t>(bytes));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = number(at + i * static_cast<std::size_t>(bytes), bytes);
    }
    return all;
  }

  const BoundedBytes& file_;
  bool little_;
  std::size_t start_;
  std::size_t entries_;
};

// Old files may lack the sizes; then the starts must be there.
void check_data(const BoundedBytes& file, const std::vector<std::uint32_t>& offsets,
                const std::vector<std::uint32_t>& sizes) {
  if (offsets.empty() || (!sizes.empty() && sizes.size() != offsets.size())) {
    throw RequestError("the TIFF picture is corrupt");
  }
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::size_t size = sizes.empty() ? 1 : sizes[i];
    if (size > 0) file.byte(offsets[i] + size - 1);
  }
}

// The decoder takes memory for one part as it is stated, however small the picture.
void check_part(std::uint64_t width, std::uint64_t height) {
  if (width * height <= std::uint64_t{kMostPixels}) return;
  throw RequestError(fmt::format("a part of {} x {} pixels", width, height),
                     fmt::format("at most {} million", kMostPixels / 1'000'000));
}

}  // namespace

PictureSize tiff_size(const BoundedBytes& file) {
  const TiffDirectory directory(file);
  const std::uint32_t width = directory.one(kWidth, 0), height = directory.one(kHeight, 0);
  const std::vector<std::uint32_t> tiles = directory.numbers(kTileOffsets);
  if (!tiles.empty()) {
    check_data(file, tiles, directory.numbers(kTileBytes));
    check_part(directory.one(kTileWidth, 0), directory.one(kTileHeight, 0));
  } else {
    check_data(file, directory.numbers(kStripOffsets), directory.numbers(kStripBytes));
    const std::uint32_t rows = directory.one(kRowsPerStrip, height);
    check_part(width, rows == 0xFFFFFFFFU ? height : rows);  // that number: all in one
  }
  if (directory.one(kOrientation, 1) >= 5) return {height, width};
  return {width, height};
}

}  // namespace hinny
