// What the decoders of the formats have in common. Internal to this level.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vision/byte_source.h"
#include "vision/picture.h"

namespace hinny {

// One picture file; its header is read. Throws RequestError throughout.
class PictureDecoder {
 public:
  virtual ~PictureDecoder() = default;

  // As stored, not yet turned.
  PictureSize size;
  int orientation = 1;  // as EXIF numbers them

  // Whether it decodes faster and as well at 1/2, 1/4 or 1/8.
  virtual bool scales() const { return false; }
  // Bytes that decode() takes at most, its result apart.
  virtual std::uint64_t memory(int shrink) const = 0;
  // At 1/shrink of its size, rounded up.
  virtual Picture decode(int shrink) = 0;
};

// The source must outlive them.
std::unique_ptr<PictureDecoder> open_jpeg(const ByteSource& file);
std::unique_ptr<PictureDecoder> open_png(const ByteSource& file);
std::unique_ptr<PictureDecoder> open_webp(const ByteSource& file);
std::unique_ptr<PictureDecoder> open_tiff(const ByteSource& file);
std::unique_ptr<PictureDecoder> open_heif(const ByteSource& file);
std::unique_ptr<PictureDecoder> open_jxl(const ByteSource& file);
// By the preview that the file holds, where that is enough.
std::unique_ptr<PictureDecoder> open_raw(const ByteSource& file, const Enough& enough);

// A file that must lie in memory as a whole. Throws RequestError above kMostPictureBytes.
std::vector<std::byte> whole_file(const ByteSource& file);

// The orientation in a block of EXIF, with or without "Exif" and two zeros before it; 1 where there
// is none.
int exif_orientation(std::span<const std::byte> block);

// Of a picture that is shown though the rest is missing.
constexpr double kLeastShare = 1.0 / 3;
// What is said of a file that lacks a part: a warning where enough is there, else it throws.
std::string what_is_missing(double share_there);

}  // namespace hinny
