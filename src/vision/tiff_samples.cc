#include "vision/tiff_samples.h"

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/request_error.h"

namespace hinny {
namespace {

using Colours = TiffLayout::Colours;
using Alpha = TiffLayout::Alpha;

std::uint16_t field(TIFF* file, std::uint32_t tag, std::uint16_t otherwise) {
  std::uint16_t value = otherwise;
  return TIFFGetFieldDefaulted(file, tag, &value) != 0 ? value : otherwise;
}

std::optional<Colours> colours_of(TIFF* file, std::size_t samples) {
  switch (
      field(file, TIFFTAG_PHOTOMETRIC, samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK)) {
    case PHOTOMETRIC_MINISWHITE:
      return Colours::white_is_0;
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MASK:
      return Colours::black_is_0;
    case PHOTOMETRIC_RGB:
      return Colours::rgb;
    case PHOTOMETRIC_PALETTE:
      return Colours::palette;
    case PHOTOMETRIC_SEPARATED:
      return Colours::inks;
    case PHOTOMETRIC_CIELAB:
      return Colours::lab;
    case PHOTOMETRIC_ICCLAB:
      return Colours::icc_lab;
    case PHOTOMETRIC_YCBCR:
      if (field(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE) != COMPRESSION_JPEG)
        return std::nullopt;
      TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
      return Colours::rgb;
    case PHOTOMETRIC_CFA:
      throw RequestError("unsupported: a camera's raw picture");
    default:
      return std::nullopt;
  }
}

// 16 bits each, or, in old files, 8.
std::vector<std::uint8_t> palette_of(TIFF* file, unsigned bits) {
  std::uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
  if (bits > 16 || TIFFGetField(file, TIFFTAG_COLORMAP, &red, &green, &blue) == 0) {
    throw RequestError("damaged: this TIFF: its palette is missing");
  }
  const std::size_t count = std::size_t{1} << bits;
  const auto small = [count](const std::uint16_t* all) {
    return std::all_of(all, all + count, [](std::uint16_t value) { return value < 256; });
  };
  const unsigned shift = small(red) && small(green) && small(blue) ? 0 : 8;
  std::vector<std::uint8_t> palette;
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::uint16_t* channel : {red, green, blue}) {
      palette.push_back(static_cast<std::uint8_t>(channel[i] >> shift));
    }
  }
  return palette;
}

Alpha alpha_of(TIFF* file) {
  std::uint16_t count = 0;
  const std::uint16_t* kinds = nullptr;
  if (TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &count, &kinds) == 0 || count == 0) {
    return Alpha::none;
  }
  if (kinds[0] == EXTRASAMPLE_ASSOCALPHA) return Alpha::premultiplied;
  return kinds[0] == EXTRASAMPLE_UNASSALPHA ? Alpha::plain : Alpha::none;
}

template <typename Number>
Number taken(const std::uint8_t* row, std::size_t index) {
  Number value;
  std::memcpy(&value, row + index * sizeof(Number), sizeof(Number));
  return value;
}

// `exponent` and `mantissa` bits below a sign, as IEEE 754 has them.
double small_float(std::uint32_t bits, int exponent, int mantissa) {
  const auto fraction = static_cast<double>(bits & ((1U << mantissa) - 1)) / (1U << mantissa);
  const int power = static_cast<int>(bits >> mantissa & ((1U << exponent) - 1));
  const int bias = (1 << (exponent - 1)) - 1;
  const double size =
      power == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, power - bias);
  return (bits >> (exponent + mantissa) & 1U) != 0 ? -size : size;
}

// Whole numbers of any width: bytes in this machine's order, or bits from the highest on.
std::uint64_t whole_number(const std::uint8_t* row, std::size_t index, unsigned bits) {
  switch (bits) {
    case 8:
      return row[index];
    case 16:
      return taken<std::uint16_t>(row, index);
    case 32:
      return taken<std::uint32_t>(row, index);
    case 64:
      return taken<std::uint64_t>(row, index);
    case 24: {  // libtiff has put its bytes in this machine's order
      const std::uint8_t* at = row + 3 * index;
      if constexpr (std::endian::native == std::endian::big)
        return std::uint64_t{at[0]} << 16U | std::uint64_t{at[1]} << 8U | at[2];
      return std::uint64_t{at[2]} << 16U | std::uint64_t{at[1]} << 8U | at[0];
    }
    default:
      break;
  }
  std::uint64_t value = 0;
  for (std::size_t at = index * bits; at < (index + 1) * bits; ++at) {
    value = value << 1U | (row[at / 8] >> (7 - at % 8) & 1U);
  }
  return value;
}

std::uint64_t largest(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace

std::size_t TiffLayout::channels() const {
  switch (colours) {
    case Colours::white_is_0:
    case Colours::black_is_0:
    case Colours::palette:
      return 1;
    case Colours::inks:
      return 4;
    default:
      return 3;
  }
}

RowSink::Pixels TiffLayout::pixels() const {
  if (colours == Colours::inks) return RowSink::Pixels::cmyk;
  return alpha == Alpha::none ? RowSink::Pixels::rgb : RowSink::Pixels::rgba;
}

std::optional<TiffLayout> tiff_layout(TIFF* file) {
  TiffLayout layout;
  layout.samples = field(file, TIFFTAG_SAMPLESPERPIXEL, 1);
  layout.bits = field(file, TIFFTAG_BITSPERSAMPLE, 1);
  layout.separate =
      field(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE &&
      layout.samples > 1;
  const auto colours = colours_of(file, layout.samples);
  if (!colours) return std::nullopt;
  layout.colours = *colours;
  const std::uint16_t format = field(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  if (format == SAMPLEFORMAT_IEEEFP) layout.numbers = TiffLayout::Numbers::fraction;
  const bool fraction = layout.numbers == TiffLayout::Numbers::fraction;
  const bool known =
      fraction ? layout.bits == 16 || layout.bits == 24 || layout.bits == 32 || layout.bits == 64
               : layout.bits >= 1 && layout.bits <= 64;
  if (!known || format > SAMPLEFORMAT_VOID || layout.samples < layout.channels()) {
    throw RequestError(fmt::format("unsupported: a TIFF of {} samples of {} bits, sample format {}",
                                   layout.samples, layout.bits, format));
  }
  if (layout.samples > layout.channels() && layout.colours != Colours::inks) {
    layout.alpha = alpha_of(file);
  }
  if (layout.colours == Colours::palette) {
    layout.palette = palette_of(file, layout.bits);
    layout.numbers = TiffLayout::Numbers::whole;
    layout.alpha = Alpha::none;
  }
  return layout;
}

SampleRows::SampleRows(const TiffLayout& layout, std::size_t width)
    : layout_(layout), width_(width), samples_(layout.used() * width), shown_(4 * width) {}

template <typename Use>
void SampleRows::for_each_sample(std::span<const std::uint8_t* const> planes,
                                 const Use& use) const {
  const std::size_t used = layout_.used();
  for (std::size_t x = 0; x < width_; ++x) {
    for (std::size_t c = 0; c < used; ++c) {
      layout_.separate ? use(planes[c], x, c) : use(planes[0], x * layout_.samples + c, c);
    }
  }
}

double SampleRows::number(const std::uint8_t* row, std::size_t index) const {
  if (layout_.numbers == TiffLayout::Numbers::fraction) {
    switch (layout_.bits) {
      case 16:
        return small_float(static_cast<std::uint32_t>(whole_number(row, index, 16)), 5, 10);
      case 24:
        return small_float(static_cast<std::uint32_t>(whole_number(row, index, 24)), 7, 16);
      case 32:
        return static_cast<double>(taken<float>(row, index));
      default:
        return taken<double>(row, index);
    }
  }
  return static_cast<double>(whole_number(row, index, layout_.bits));
}

bool SampleRows::wants_range() const {
  return layout_.numbers == TiffLayout::Numbers::fraction && layout_.colours != Colours::lab &&
         layout_.colours != Colours::icc_lab;
}

void SampleRows::widen_range(std::span<const std::uint8_t* const> planes) {
  for_each_sample(planes, [&](const std::uint8_t* row, std::size_t index, std::size_t) {
    const double value = number(row, index);
    if (!std::isfinite(value)) return;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  });
}

std::uint8_t SampleRows::eight(const std::uint8_t* row, std::size_t index) const {
  if (layout_.numbers == TiffLayout::Numbers::whole) {
    const std::uint64_t value = whole_number(row, index, layout_.bits);
    if (layout_.bits == 8) return static_cast<std::uint8_t>(value);
    if (layout_.bits == 16) return static_cast<std::uint8_t>((value + 128) / 257);
    if (layout_.bits > 16) return static_cast<std::uint8_t>(value >> (layout_.bits - 8));
    return static_cast<std::uint8_t>(value * 255 / largest(layout_.bits));
  }
  // From 0 to 1, what is brighter being white; other ranges are stretched.
  const bool usual = least_ >= -0.1 && most_ <= 2;
  const double black = usual ? 0 : least_, white = usual ? 1 : std::max(most_, least_ + 1e-9);
  const double share = (number(row, index) - black) / (white - black);
  if (!(share > 0)) return 0;
  return static_cast<std::uint8_t>(std::lround(255 * std::min(share, 1.0)));
}

const std::uint8_t* SampleRows::eight_bits(std::span<const std::uint8_t* const> planes) {
  const bool plain = layout_.colours == Colours::rgb && layout_.alpha == Alpha::none &&
                     layout_.bits == 8 && layout_.numbers == TiffLayout::Numbers::whole &&
                     !layout_.separate && layout_.samples == 3;
  if (plain) return planes[0];
  if (layout_.colours == Colours::palette) {
    show_palette(planes[0]);
    return shown_.data();
  }
  if (layout_.colours == Colours::lab || layout_.colours == Colours::icc_lab) {
    show_lab(planes);
    return shown_.data();
  }
  std::uint8_t* out = samples_.data();
  for_each_sample(planes, [&](const std::uint8_t* row, std::size_t index, std::size_t) {
    *out++ = eight(row, index);
  });
  layout_.channels() == 1 ? show_grey() : show_colours();
  return shown_.data();
}

const std::uint8_t* SampleRows::white() {
  std::ranges::fill(shown_, 255);
  return shown_.data();
}

void SampleRows::show_grey() {
  const std::uint8_t* from = samples_.data();
  std::uint8_t* to = shown_.data();
  for (std::size_t x = 0; x < width_; ++x) {
    const int value = *from++;
    const int alpha = layout_.alpha == Alpha::none ? 255 : *from++;
    int grey = layout_.alpha == Alpha::premultiplied && alpha > 0
                   ? std::min(255, (value * 255 + alpha / 2) / alpha)
                   : value;
    if (layout_.colours == Colours::white_is_0) grey = 255 - grey;
    for (int i = 0; i < 3; ++i) *to++ = static_cast<std::uint8_t>(grey);
    if (layout_.alpha != Alpha::none) *to++ = static_cast<std::uint8_t>(alpha);
  }
}

void SampleRows::show_palette(const std::uint8_t* row) {
  for (std::size_t x = 0; x < width_; ++x) {
    const std::size_t index = layout_.separate ? x : x * layout_.samples;
    const auto colour = static_cast<std::size_t>(whole_number(row, index, layout_.bits));
    std::copy_n(layout_.palette.data() + 3 * colour, 3, shown_.data() + 3 * x);
  }
}

// RGB, with what covers it; or inks, turned round.
void SampleRows::show_colours() {
  if (layout_.colours == Colours::inks) {
    std::ranges::transform(samples_, shown_.begin(),
                           [](std::uint8_t ink) { return static_cast<std::uint8_t>(255 - ink); });
    return;
  }
  std::ranges::copy(samples_, shown_.begin());
  if (layout_.alpha != Alpha::premultiplied) return;
  for (std::size_t x = 0; x < width_; ++x) {
    std::uint8_t* pixel = shown_.data() + 4 * x;
    const int alpha = pixel[3];
    for (int i = 0; i < 3 && alpha > 0; ++i) {
      pixel[i] = static_cast<std::uint8_t>(std::min(255, (pixel[i] * 255 + alpha / 2) / alpha));
    }
  }
}

void SampleRows::show_lab(std::span<const std::uint8_t* const> planes) {
  const bool icc = layout_.colours == Colours::icc_lab;
  const double most = static_cast<double>(largest(layout_.bits));
  const double step = std::ldexp(1, static_cast<int>(layout_.bits) - 8);  // one of a* and b*
  std::vector<double> lab(3 * width_);
  auto out = lab.begin();
  for_each_sample(planes, [&](const std::uint8_t* row, std::size_t index, std::size_t channel) {
    if (channel >= 3) return;
    double value = number(row, index);
    if (layout_.numbers != TiffLayout::Numbers::fraction) {
      const auto raw = static_cast<double>(whole_number(row, index, layout_.bits));
      if (channel == 0) {
        value = raw / most * 100;
      } else if (icc) {
        value = raw / step - 128;
      } else {
        value = (raw > most / 2 ? raw - most - 1 : raw) / step;
      }
    }
    *out++ = std::isfinite(value) ? value : 0;
  });
  std::vector<std::uint8_t> rgb(3 * width_);
  lab_to_srgb(lab, rgb);
  const std::size_t pixel = layout_.alpha == Alpha::none ? 3 : 4;
  for (std::size_t x = 0; x < width_; ++x) {
    std::copy_n(rgb.data() + 3 * x, 3, shown_.data() + pixel * x);
    if (pixel == 4) shown_[4 * x + 3] = 255;
  }
}

}  // namespace hinny
