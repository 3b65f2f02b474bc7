// Which files are raw pictures: what a camera's sensor saw, before it became a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "vision/byte_source.h"

namespace hinny {

// By how the file begins: CR2, CR3, RAF, ORF, RW2, X3F, MRW, CRW.
bool begins_as_raw(std::span<const std::byte> head);

// Bytes of what the sensor saw.
struct SensorData {
  std::uint64_t stated = 0;  // 0: not known
  std::uint64_t there = 0;   // of them, before the file's end
};
// Of a TIFF file that holds such data (DNG, NEF, ARW, PEF, CR2 and others); nullopt for other TIFF
// files.
std::optional<SensorData> sensor_data(const ByteSource& tiff);

// The largest JPEG that a raw picture of the form of TIFF, or a RAF, names: what is left of one
// that LibRaw does not know. 0 bytes: none.
struct EmbeddedJpeg {
  std::uint64_t at = 0, bytes = 0;
  int turned = 1;  // the picture, as EXIF says it
};
EmbeddedJpeg embedded_jpeg(const ByteSource& file);

}  // namespace hinny
