// Reads just enough of a picture file to know the picture's size and that its end is there.
#include <optional>

#include "base/request_error.h"
#include "vision/bounded_bytes.h"
#include "vision/heif.h"
#include "vision/picture.h"
#include "vision/tiff.h"

namespace hinny {
namespace {

PictureSize png_size(const BoundedBytes& file) {
  if (!file.has(12, "IHDR")) throw RequestError("the PNG picture has no header");
  for (std::size_t at = 8;;) {
    const std::size_t length = file.big32(at);
    file.byte(at + length + 11);  // the chunk is whole
    if (file.has(at + 4, "IEND")) return {file.big32(16), file.big32(20)};
    at += length + 12;
  }
}

// Position of the marker that follows the compressed data starting at `at`.
std::size_t end_of_scan(const BoundedBytes& file, std::size_t at) {
  for (;; ++at) {
    if (file.byte(at) != 0xFF) continue;
    const std::uint32_t next = file.byte(at + 1);
    const bool restart = next >= 0xD0 && next <= 0xD7;
    if (next != 0 && next != 0xFF && !restart) return at;
  }
}

bool starts_frame(std::uint32_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

PictureSize jpeg_size(const BoundedBytes& file) {
  constexpr std::uint32_t kEnd = 0xD9;
  constexpr std::uint32_t kScan = 0xDA;
  std::optional<PictureSize> size;
  for (std::size_t at = 2;;) {
    if (file.byte(at) != 0xFF) throw RequestError("the JPEG picture is corrupt");
    const std::uint32_t marker = file.byte(at + 1);
    if (marker == 0xFF) {  // padding
      ++at;
      continue;
    }
    if (marker == kEnd) break;
    const std::size_t length = file.big16(at + 2);
    if (length < 2) throw RequestError("the JPEG picture is corrupt");
    if (starts_frame(marker) && !size) size = {file.big16(at + 7), file.big16(at + 5)};
    at += 2 + length;
    if (marker == kScan) at = end_of_scan(file, at);
  }
  if (!size) throw RequestError("the JPEG picture has no frame");
  return *size;
}

PictureSize webp_size(const BoundedBytes& file) {
  file.byte(file.little32(4) + std::size_t{7});
  if (file.has(12, "VP8X")) return {file.little24(24) + 1, file.little24(27) + 1};
  if (file.has(12, "VP8L")) {
    const std::uint32_t bits = file.little32(21);
    return {(bits & 0x3FFFU) + 1, (bits >> 14U & 0x3FFFU) + 1};
  }
  if (file.has(12, "VP8 ")) return {file.little16(26) & 0x3FFFU, file.little16(28) & 0x3FFFU};
  throw RequestError("the WebP picture is corrupt");
}

PictureSize size_by_format(std::span<const std::byte> bytes) {
  const BoundedBytes file(bytes);
  if (file.size() == 0) throw RequestError("the file is empty");
  switch (picture_format(bytes)) {
    case PictureFormat::jpeg:
      return jpeg_size(file);
    case PictureFormat::png:
      return png_size(file);
    case PictureFormat::webp:
      return webp_size(file);
    case PictureFormat::tiff:
      return tiff_size(file);
    case PictureFormat::heif:
      return heif_size(bytes);
    case PictureFormat::none:
      break;
  }
  throw RequestError("not a picture", kPictureFormats);
}

}  // namespace

PictureFormat picture_format(std::span<const std::byte> bytes) {
  const BoundedBytes file(bytes);
  if (file.has(0, "\x89PNG\r\n\x1A\n")) return PictureFormat::png;
  if (file.has(0, "\xFF\xD8\xFF")) return PictureFormat::jpeg;
  if (file.has(0, "RIFF") && file.has(8, "WEBP")) return PictureFormat::webp;
  if (file.has(0, {"II*\0", 4}) || file.has(0, {"MM\0*", 4})) return PictureFormat::tiff;
  return is_heif(bytes) ? PictureFormat::heif : PictureFormat::none;
}

PictureSize stated_size(std::span<const std::byte> file) {
  const PictureSize size = size_by_format(file);
  if (size.width < 1 || size.height < 1) throw RequestError("the picture has no pixels");
  return size;
}

}  // namespace hinny
