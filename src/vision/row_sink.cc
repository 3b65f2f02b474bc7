#include "vision/row_sink.h"

#include <algorithm>

namespace hinny {
namespace {

int shrunk(std::int64_t length, int shrink) {
  return static_cast<int>((length + shrink - 1) / shrink);
}

// As OpenCV and browsers turn inks without a profile into light.
void light_of_inks(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) {
  for (; pixels > 0; --pixels, from += 4, to += 3) {
    const int key = from[3];
    for (int i = 0; i < 3; ++i)
      to[i] = static_cast<std::uint8_t>(key - ((255 - from[i]) * key >> 8));
  }
}

}  // namespace

RowSink::RowSink(std::int64_t width, std::int64_t height, Pixels pixels, int shrink,
                 std::shared_ptr<const ColourTransform> transform)
    : width_(width),
      height_(height),
      pixels_(pixels),
      shrink_(shrink),
      transform_(std::move(transform)),
      picture_{shrunk(width, shrink), shrunk(height, shrink), {}} {
  const auto columns = static_cast<std::size_t>(picture_.width);
  picture_.pixels.assign(3 * columns * static_cast<std::size_t>(picture_.height), 255);
  if (pixels != Pixels::rgb || transform_) shown_.resize(3 * static_cast<std::size_t>(width));
  if (shrink > 1) sums_.resize(3 * columns);
}

std::uint64_t RowSink::bytes(std::int64_t width, std::int64_t height, int shrink) {
  const auto columns = static_cast<std::uint64_t>(shrunk(width, shrink));
  return 3 * columns * static_cast<std::uint64_t>(shrunk(height, shrink)) + 12 * columns +
         8 * static_cast<std::uint64_t>(width);
}

const std::uint8_t* RowSink::as_shown(const std::uint8_t* row) {
  if (pixels_ == Pixels::rgb && !transform_) return row;
  const auto count = static_cast<std::size_t>(width_);
  if (pixels_ == Pixels::cmyk) {
    transform_ ? transform_->row(row, shown_.data(), count)
               : light_of_inks(row, shown_.data(), count);
    return shown_.data();
  }
  if (pixels_ == Pixels::rgb) {
    transform_->row(row, shown_.data(), count);
    return shown_.data();
  }
  for (std::size_t i = 0; i < count; ++i) std::copy_n(row + 4 * i, 3, shown_.data() + 3 * i);
  if (transform_) transform_->row(shown_.data(), shown_.data(), count);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned alpha = row[4 * i + 3];
    if (alpha == 255) continue;
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint8_t& value = shown_[3 * i + c];
      value =
          static_cast<std::uint8_t>((value * alpha + background_[c] * (255 - alpha) + 127) / 255);
    }
  }
  return shown_.data();
}

void RowSink::put(const std::uint8_t* row) {
  if (row_ >= height_) return;
  const std::uint8_t* rgb = as_shown(row);
  const auto size = 3 * static_cast<std::size_t>(picture_.width);
  if (shrink_ == 1) {
    std::copy_n(rgb, size, picture_.pixels.data() + static_cast<std::size_t>(row_) * size);
  } else {
    add(rgb);
  }
  ++row_;
  if (shrink_ > 1 && (summed_ == shrink_ || row_ == height_)) flush();
}

void RowSink::add(const std::uint8_t* rgb) {
  const auto step = static_cast<std::int64_t>(shrink_);
  std::uint32_t* sum = sums_.data();
  for (std::int64_t x = 0; x < width_; x += step, sum += 3) {
    for (std::int64_t i = x; i < std::min(x + step, width_); ++i, rgb += 3) {
      sum[0] += rgb[0];
      sum[1] += rgb[1];
      sum[2] += rgb[2];
    }
  }
  ++summed_;
}

void RowSink::flush() {
  const std::int64_t line = (row_ - 1) / shrink_;
  std::uint8_t* out = picture_.pixels.data() +
                      static_cast<std::size_t>(line) * 3 * static_cast<std::size_t>(picture_.width);
  for (std::int64_t x = 0; x < picture_.width; ++x) {
    const auto columns = std::min<std::int64_t>(shrink_, width_ - x * shrink_);
    const auto count = static_cast<std::uint32_t>(columns * summed_);
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint32_t& sum = sums_[3 * static_cast<std::size_t>(x) + c];
      *out++ = static_cast<std::uint8_t>((sum + count / 2) / count);
      sum = 0;
    }
  }
  summed_ = 0;
}

Picture RowSink::finish() {
  if (summed_ > 0) flush();
  return std::move(picture_);
}

}  // namespace hinny
