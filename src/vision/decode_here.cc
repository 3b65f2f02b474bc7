#include "vision/decode_here.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/request_error.h"
#include "vision/animation.h"
#include "vision/foreign_format.h"
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
    case PictureFormat::gif:
      return open_frame(open_gif(file), 0);
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

void check_size(const PictureSize& size) {
  if (size.width < 1 || size.height < 1) throw RequestError("damaged: the picture has no pixels");
  if (size.width > kMostStatedPixels / size.height) {
    throw RequestError(fmt::format("too large: {} x {} pixels", size.width, size.height),
                       fmt::format("at most {} million", kMostStatedPixels / 1'000'000));
  }
}

std::unique_ptr<Animation> opened_animation(const ByteSource& file) {
  auto animation = open_animation(file);
  if (!animation) throw RequestError("not a picture that moves", "GIF or WebP");
  check_size(animation->size);
  return animation;
}

std::unique_ptr<PictureDecoder> open(const ByteSource& file, const Enough& enough,
                                     std::int64_t at = kNoMoment) {
  auto decoder =
      at == kNoMoment ? open_by_format(file, enough) : open_frame(opened_animation(file), at);
  check_size(decoder->size);
  return decoder;
}

void check_memory(const PictureSize& size, std::uint64_t needed) {
  if (needed <= kMostDecodingBytes) return;
  throw RequestError(fmt::format("too large: {} x {} pixels, whose decoding takes {} MiB",
                                 size.width, size.height, needed >> 20U),
                     fmt::format("at most {} MiB", kMostDecodingBytes >> 20U));
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
  const bool lies = orientation >= 5;
  const bool from_right =
      orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  const bool from_below =
      orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  const auto width = static_cast<std::size_t>(picture.width);
  const auto height = static_cast<std::size_t>(picture.height);
  Picture result{lies ? picture.height : picture.width,
                 lies ? picture.width : picture.height,
                 {},
                 std::move(picture.warning)};
  result.pixels.resize(picture.pixels.size());
  const std::size_t columns = lies ? height : width, rows = lies ? width : height;
  constexpr std::size_t kBlock = 32;  // of which both sides stay in the cache
  for (std::size_t top = 0; top < height; top += kBlock) {
    for (std::size_t left = 0; left < width; left += kBlock) {
      for (std::size_t y = top; y < std::min(height, top + kBlock); ++y) {
        for (std::size_t x = left; x < std::min(width, left + kBlock); ++x) {
          const std::size_t column = lies ? y : x, row = lies ? x : y;
          const std::size_t to = (from_below ? rows - 1 - row : row) * columns +
                                 (from_right ? columns - 1 - column : column);
          std::copy_n(&picture.pixels[3 * (y * width + x)], 3, &result.pixels[3 * to]);
        }
      }
    }
  }
  return result;
}

}  // namespace

void decode_here(const ByteSource& file, const Enough& enough, const HoldMemory& hold,
                 const TakePicture& take, std::int64_t at) {
  const auto decoder = open(file, enough, at);
  const int shrink = shrink_of(*decoder, enough);
  const auto side = [&](std::int64_t length) {
    return static_cast<std::uint64_t>((length + shrink - 1) / shrink);
  };
  // Twice: to be turned, or used.
  const std::uint64_t needed =
      decoder->memory(shrink) + 6 * side(decoder->size.width) * side(decoder->size.height);
  check_memory(decoder->size, needed);
  hold(needed, [&] {
    Picture picture = decoder->decode(shrink);
    take(turned(std::move(picture), decoder->orientation));
  });
}

std::vector<std::int64_t> scenes_here(const ByteSource& file, int most, const HoldMemory& hold) {
  const auto animation = opened_animation(file);
  check_memory(animation->size, animation->memory());
  std::vector<std::int64_t> scenes;
  hold(animation->memory(),
       [&] { scenes = scenes_of(*animation, static_cast<std::size_t>(std::max(most, 1))); });
  if (scenes.empty()) throw RequestError("damaged: no frame in it that can be decoded");
  return scenes;
}

PictureSize size_here(const ByteSource& file) { return open(file, {})->size; }

PictureSize shown_size_here(const ByteSource& file) {
  const auto decoder = open(file, {});
  const bool lies = decoder->orientation >= 5 && decoder->orientation <= 8;
  const PictureSize size = decoder->size;
  return lies ? PictureSize{size.height, size.width} : size;
}

}  // namespace hinny
