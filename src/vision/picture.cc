#include "vision/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

#include "base/request_error.h"
#include "vision/bounded_bytes.h"
#include "vision/decoding_memory.h"
#include "vision/foreign_format.h"
#include "vision/heif.h"
#include "vision/jxl.h"
#include "vision/picture_decoder.h"
#include "vision/raw_kind.h"

namespace hinny {
namespace {

std::unique_ptr<PictureDecoder> open_by_format(const ByteSource& file, const Enough& enough) {
  if (file.size() == 0) throw RequestError("the file is empty");
  switch (picture_format(file.head(1024))) {
    case PictureFormat::jpeg:
      return open_jpeg(file);
    case PictureFormat::png:
      return open_png(file);
    case PictureFormat::webp:
      return open_webp(file);
    case PictureFormat::tiff:
      return sensor_data(file) ? open_raw(file, enough) : open_tiff(file);
    case PictureFormat::heif:
      return open_heif(file);
    case PictureFormat::jxl:
      return open_jxl(file);
    case PictureFormat::raw:
      return open_raw(file, enough);
    case PictureFormat::none:
      break;
  }
  const std::string_view foreign = foreign_format(file.head(64));
  if (foreign.empty()) throw RequestError("not a picture", kPictureFormats);
  throw RequestError(fmt::format("unsupported: {}", foreign), kPictureFormats);
}

std::unique_ptr<PictureDecoder> open(const ByteSource& file, const Enough& enough) {
  auto decoder = open_by_format(file, enough);
  const PictureSize size = decoder->size;
  if (size.width < 1 || size.height < 1) throw RequestError("damaged: the picture has no pixels");
  if (size.width > kMostStatedPixels / size.height) {
    throw RequestError(fmt::format("too large: {} x {} pixels", size.width, size.height),
                       fmt::format("at most {} million", kMostStatedPixels / 1'000'000));
  }
  return decoder;
}

// The power of two that divides a side so that `least` of it are left.
int halvings(std::int64_t side, int least, int most) {
  int shrink = 1;
  while (2 * shrink <= most && side >= std::int64_t{2} * shrink * least) shrink *= 2;
  return shrink;
}

int shrink_of(const PictureDecoder& decoder, const Enough& enough) {
  const auto [shorter, longer] = std::minmax(decoder.size.width, decoder.size.height);
  int shrink = 1;
  if (enough.shorter > 0 && decoder.scales()) shrink = halvings(shorter, enough.shorter, 8);
  if (enough.longer > 0) shrink = std::max(shrink, halvings(longer, enough.longer, 1 << 14));
  while ((shorter + shrink - 1) / shrink * ((longer + shrink - 1) / shrink) > kMostPixels) {
    shrink *= 2;
  }
  return shrink;
}

// Set upright.
Picture turned(Picture picture, int orientation) {
  if (orientation <= 1 || orientation > 8) return picture;
  const cv::Mat stored(picture.height, picture.width, CV_8UC3, picture.pixels.data());
  if (orientation <= 4) {
    constexpr int kFlips[] = {1, -1, 0};  // across, both, down
    cv::flip(stored, stored, kFlips[orientation - 2]);
    return picture;
  }
  Picture result{picture.height, picture.width, {}, std::move(picture.warning)};
  result.pixels.resize(picture.pixels.size());
  cv::Mat upright(result.height, result.width, CV_8UC3, result.pixels.data());
  cv::transpose(stored, upright);
  constexpr int kNone = 2;
  constexpr int kFlips[] = {kNone, 1, -1, 0};
  if (const int flip = kFlips[orientation - 5]; flip != kNone) cv::flip(upright, upright, flip);
  return result;
}

void use_picture_of(const ByteSource& file, const Enough& enough,
                    const std::function<void(Picture&&)>& use) {
  const auto decoder = open(file, enough);
  const int shrink = shrink_of(*decoder, enough);
  const auto side = [&](std::int64_t length) {
    return static_cast<std::uint64_t>((length + shrink - 1) / shrink);
  };
  // Twice: to be turned, or used.
  const std::uint64_t needed =
      decoder->memory(shrink) + 6 * side(decoder->size.width) * side(decoder->size.height);
  if (needed > kMostDecodingBytes) {
    throw RequestError(fmt::format("too large: {} x {} pixels, whose decoding takes {} MiB",
                                   decoder->size.width, decoder->size.height, needed >> 20U),
                       fmt::format("at most {} MiB", kMostDecodingBytes >> 20U));
  }
  const DecodingMemory held(needed);
  Picture picture = decoder->decode(shrink);
  use(turned(std::move(picture), decoder->orientation));
}

Picture picture_of(const ByteSource& file, const Enough& enough) {
  Picture result;
  use_picture_of(file, enough, [&](Picture&& picture) { result = std::move(picture); });
  return result;
}

template <typename Read>
auto naming(const std::filesystem::path& file, const Read& read) {
  const FileBytes bytes(file);
  try {
    return read(bytes);
  } catch (const RequestError& error) {
    throw InputError(file, error.what(), "");
  }
}

}  // namespace

PictureFormat picture_format(std::span<const std::byte> bytes) {
  const BoundedBytes file(bytes);
  if (file.has(0, "\x89PNG\r\n\x1A\n")) return PictureFormat::png;
  if (file.has(0, "\xFF\xD8\xFF")) return PictureFormat::jpeg;
  if (begins_as_raw(bytes)) return PictureFormat::raw;
  if (is_jxl(bytes)) return PictureFormat::jxl;
  if (file.has(0, "RIFF") && file.has(8, "WEBP")) return PictureFormat::webp;
  for (const std::string_view start :
       {std::string_view("II*\0", 4), {"MM\0*", 4}, {"II+\0", 4}, {"MM\0+", 4}}) {
    if (file.has(0, start)) return PictureFormat::tiff;
  }
  return is_heif(bytes) ? PictureFormat::heif : PictureFormat::none;
}

Picture decode_picture(std::span<const std::byte> file, const Enough& enough) {
  return picture_of(HeldBytes(file), enough);
}

Picture read_picture(const std::filesystem::path& file, const Enough& enough) {
  return naming(file, [&](const ByteSource& bytes) { return picture_of(bytes, enough); });
}

void use_picture(const std::filesystem::path& file, const Enough& enough,
                 const std::function<void(const Picture&)>& use) {
  naming(file, [&](const ByteSource& bytes) {
    use_picture_of(bytes, enough, [&](const Picture& picture) { use(picture); });
  });
}

PictureSize stated_size(std::span<const std::byte> file) { return open(HeldBytes(file), {})->size; }

std::vector<std::byte> whole_file(const ByteSource& file) {
  if (file.size() > kMostPictureBytes) {
    throw RequestError(fmt::format("too large: a file of {} MiB", file.size() >> 20U),
                       fmt::format("at most {} MiB", kMostPictureBytes >> 20U));
  }
  return file.head(static_cast<std::size_t>(file.size()));
}

int exif_orientation(std::span<const std::byte> block) try {
  const BoundedBytes all(block);
  if (all.has(0, {"Exif\0\0", 6})) block = block.subspan(6);
  const BoundedBytes bytes(block);
  const bool little = bytes.has(0, "II");
  if (!little && !bytes.has(0, "MM")) return 1;
  const auto number = [&](std::size_t at) { return little ? bytes.little16(at) : bytes.big16(at); };
  const std::size_t start = little ? bytes.little32(4) : bytes.big32(4);
  for (std::size_t i = 0; i < number(start); ++i) {
    constexpr std::uint32_t kOrientation = 0x112;
    const std::size_t entry = start + 2 + 12 * i;
    if (number(entry) == kOrientation) return static_cast<int>(number(entry + 8));
  }
  return 1;
} catch (const RequestError&) {  // cut off
  return 1;
}

std::string what_is_missing(double share_there) {
  const double percent = 100 * share_there;
  if (share_there < kLeastShare) {
    throw RequestError(
        fmt::format("damaged: cut off, {:.0f} % of the picture is there", std::floor(percent)));
  }
  if (percent > 99) return "its end is missing; what is there is read";
  return fmt::format("its last {:.0f} % are missing; what is there is read", 100 - percent);
}

}  // namespace hinny
