// Colours as a file's profile means them -> sRGB, by littlecms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace hinny {

// What the numbers of a pixel are. cmyk: 255 is no ink, as Adobe writes it.
enum class Channels { rgb, cmyk };

// Safe to use from several threads.
class ColourTransform {
 public:
  virtual ~ColourTransform() = default;
  // `from` and `to` (RGB) may be the same where `from` is RGB.
  virtual void row(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) const = 0;
};

// nullptr where the profile changes nothing that is seen (most files' is sRGB), is broken, or is
// for other channels. A profile of greys is for RGB pixels that are grey.
std::shared_ptr<const ColourTransform> transform_of(std::span<const std::byte> profile,
                                                    Channels channels);

// Of RGB by its primaries: x and y of white, red, green and blue, and the exponent of light.
struct Primaries {
  double white[2];
  double red[2];
  double green[2];
  double blue[2];
};
// `gamma` 0: the curve of sRGB.
std::shared_ptr<const ColourTransform> transform_of(const Primaries& primaries, double gamma);

// CIE L*a*b* (of D50), three numbers a pixel, to RGB.
void lab_to_srgb(std::span<const double> lab, std::span<std::uint8_t> rgb);

}  // namespace hinny
