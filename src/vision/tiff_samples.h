// The numbers of a TIFF picture, of any kind and width -> 8 bits of what is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vision/row_sink.h"

struct tiff;  // libtiff's TIFF

namespace hinny {

struct TiffLayout {
  enum class Colours { white_is_0, black_is_0, rgb, palette, inks, lab, icc_lab };
  enum class Alpha { none, plain, premultiplied };
  enum class Numbers { whole, fraction };  // signs are not looked at: no viewer does

  Colours colours = Colours::rgb;
  Alpha alpha = Alpha::none;  // behind the colours
  Numbers numbers = Numbers::whole;
  unsigned bits = 8;
  std::size_t samples = 1;            // of a pixel in the file
  bool separate = false;              // each in a plane of its own
  std::vector<std::uint8_t> palette;  // RGB

  std::size_t channels() const;  // of colour
  std::size_t used() const { return channels() + (alpha == Alpha::none ? 0 : 1); }
  std::size_t planes() const { return separate ? used() : 1; }
  RowSink::Pixels pixels() const;
};

// Of the file's first picture; none where libtiff's own conversion must do. Sets JPEG data to be
// decoded to RGB. Throws RequestError for what neither can do.
std::optional<TiffLayout> tiff_layout(tiff* file);

class SampleRows {
 public:
  SampleRows(const TiffLayout& layout, std::size_t width);

  // Numbers without a white of their own: all rows are seen before the first one is converted.
  bool wants_range() const;
  void widen_range(std::span<const std::uint8_t* const> planes);

  // As layout.pixels(). Valid until the next call.
  const std::uint8_t* eight_bits(std::span<const std::uint8_t* const> planes);
  const std::uint8_t* white();

 private:
  double number(const std::uint8_t* row, std::size_t index) const;
  std::uint8_t eight(const std::uint8_t* row, std::size_t index) const;
  void show_grey();
  void show_palette(const std::uint8_t* row);
  void show_colours();
  void show_lab(std::span<const std::uint8_t* const> planes);
  template <typename Use>
  void for_each_sample(std::span<const std::uint8_t* const> planes, const Use& use) const;

  const TiffLayout& layout_;
  std::size_t width_;
  double least_ = 0, most_ = 0;        // of all numbers
  std::vector<std::uint8_t> samples_;  // used() of each pixel, in 8 bits
  std::vector<std::uint8_t> shown_;
};

}  // namespace hinny
