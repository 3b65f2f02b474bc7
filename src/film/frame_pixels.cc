#include "film/frame_pixels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "film/high_range.h"

namespace hinny::film {
namespace {

// What a file leaves open is what its size was mostly made with.
int coefficients_of(const AVFrame& frame) {
  switch (frame.colorspace) {
    case AVCOL_SPC_BT709:
      return SWS_CS_ITU709;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
      return SWS_CS_BT2020;
    case AVCOL_SPC_UNSPECIFIED:
      return frame.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
    default:
      return SWS_CS_ITU601;
  }
}

Pixels turned(Pixels from, const Film::Turn& turn) {
  if (!turn.mirror_x && !turn.mirror_y && !turn.transpose) return from;
  Pixels to{from.width, from.height, std::vector<std::uint8_t>(from.rgb.size())};
  if (turn.transpose) std::swap(to.width, to.height);
  const auto place = [](const Pixels& in, int x, int y) {
    return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(in.width) +
                static_cast<std::size_t>(x));
  };
  for (int y = 0; y < from.height; ++y) {
    for (int x = 0; x < from.width; ++x) {
      const int there_x = turn.mirror_x ? from.width - 1 - x : x;
      const int there_y = turn.mirror_y ? from.height - 1 - y : y;
      const std::size_t there =
          turn.transpose ? place(to, there_y, there_x) : place(to, there_x, there_y);
      std::copy_n(&from.rgb[place(from, x, y)], 3, &to.rgb[there]);
    }
  }
  return to;
}

}  // namespace

std::vector<std::uint8_t> FramePixels::scaled(const AVFrame& frame, int width, int height) {
  // Rows of a multiple of 16 bytes and some more behind the last: swscale writes beyond what it
  // says.
  constexpr int kRow = 64;
  const int stride = (3 * width + kRow - 1) / kRow * kRow;
  std::vector<std::uint8_t> padded(static_cast<std::size_t>(stride) *
                                   static_cast<std::size_t>(height + 1));
  scaler_.reset(sws_getCachedContext(
      scaler_.release(), frame.width, frame.height, static_cast<AVPixelFormat>(frame.format), width,
      height, AV_PIX_FMT_RGB24, SWS_AREA | SWS_ACCURATE_RND, nullptr, nullptr, nullptr));
  if (!scaler_) throw Unreadable("pixels of a kind that is not read");
  const int* coefficients = sws_getCoefficients(coefficients_of(frame));
  sws_setColorspaceDetails(scaler_.get(), coefficients,
                           frame.color_range == AVCOL_RANGE_JPEG ? 1 : 0,
                           sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
  const std::array<std::uint8_t*, 4> to = {padded.data(), nullptr, nullptr, nullptr};
  const std::array<int, 4> strides = {stride, 0, 0, 0};
  if (sws_scale(scaler_.get(), frame.data, frame.linesize, 0, frame.height, to.data(),
                strides.data()) <= 0) {
    throw Unreadable("pixels that cannot be converted");
  }
  const auto row = static_cast<std::size_t>(3 * width);
  std::vector<std::uint8_t> rgb(row * static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    std::copy_n(&padded[y * static_cast<std::size_t>(stride)], row, &rgb[y * row]);
  }
  return rgb;
}

Pixels FramePixels::seen(const Film& film, const AVFrame& frame, int most) {
  const double shape = film.pixel_shape(frame.sample_aspect_ratio);
  const double wide = frame.width * std::max(shape, 1.0),
               high = frame.height / std::min(shape, 1.0);
  const double scale = std::min(1.0, most / std::max(wide, high));
  const auto side = [&](double length) {
    return std::clamp(static_cast<int>(std::lround(length * scale)), 1, most);
  };
  Pixels pixels{side(wide), side(high), {}};
  pixels.rgb = scaled(frame, pixels.width, pixels.height);
  to_standard_range(frame, pixels.rgb);
  return turned(std::move(pixels), film.turn());
}

Glance FramePixels::glance(const AVFrame& frame) {
  Glance glance{};
  const std::vector<std::uint8_t> small = scaled(frame, kGlance, kGlance);
  std::ranges::copy(small, glance.begin());
  return glance;
}

}  // namespace hinny::film
