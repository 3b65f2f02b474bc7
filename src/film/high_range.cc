#include "film/high_range.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hinny::film {
namespace {

using Curve = std::array<float, 256>;  // of a byte: light, where 1 is white as on paper

// ITU-R BT.2100: PQ.
float light_of_pq(float value) {
  constexpr float kM1 = 0.1593017578125F, kM2 = 78.84375F, kC1 = 0.8359375F, kC2 = 18.8515625F,
                  kC3 = 18.6875F;
  const float power = std::pow(value, 1 / kM2);
  const float nits = 10000 * std::pow(std::max(power - kC1, 0.0F) / (kC2 - kC3 * power), 1 / kM1);
  return nits / 203;
}

// The same: HLG, on a screen of 1000 candelas; its 75 % are white as on paper.
float light_of_hlg(float value) {
  constexpr float kA = 0.17883277F, kB = 0.28466892F, kC = 0.55991073F, kGamma = 1.2F;
  const float scene = value <= 0.5F ? value * value / 3 : (std::exp((value - kC) / kA) + kB) / 12;
  return 1000 * std::pow(scene, kGamma) / 203;
}

template <typename Light>
Curve curve_of(const Light& light) {
  Curve curve{};
  for (std::size_t i = 0; i < curve.size(); ++i) curve[i] = light(static_cast<float>(i) / 255);
  return curve;
}

std::uint8_t srgb_of(float light) {
  const float x = std::clamp(light, 0.0F, 1.0F);
  const float value = x <= 0.0031308F ? 12.92F * x : 1.055F * std::pow(x, 1 / 2.4F) - 0.055F;
  return static_cast<std::uint8_t>(std::lround(255 * value));
}

}  // namespace

void to_standard_range(const AVFrame& frame, std::span<std::uint8_t> rgb) {
  const bool pq = frame.color_trc == AVCOL_TRC_SMPTE2084;
  if (!pq && frame.color_trc != AVCOL_TRC_ARIB_STD_B67) return;
  static const Curve of_pq = curve_of(light_of_pq), of_hlg = curve_of(light_of_hlg);
  const Curve& curve = pq ? of_pq : of_hlg;
  const bool wide = frame.color_primaries == AVCOL_PRI_BT2020;
  for (std::size_t i = 0; i + 2 < rgb.size(); i += 3) {
    const float r = curve[rgb[i]], g = curve[rgb[i + 1]], b = curve[rgb[i + 2]];
    if (wide) {  // BT.2020's primaries to BT.709's, which are sRGB's
      rgb[i] = srgb_of(1.6605F * r - 0.5876F * g - 0.0728F * b);
      rgb[i + 1] = srgb_of(-0.1246F * r + 1.1329F * g - 0.0083F * b);
      rgb[i + 2] = srgb_of(-0.0182F * r - 0.1006F * g + 1.1187F * b);
    } else {
      rgb[i] = srgb_of(r);
      rgb[i + 1] = srgb_of(g);
      rgb[i + 2] = srgb_of(b);
    }
  }
}

}  // namespace hinny::film
