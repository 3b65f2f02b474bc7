// The colours that people name.
#pragma once

#include <array>
#include <cstdint>

namespace hinny {

// red, orange, yellow, green, turquoise, blue, purple, pink, brown, black, grey, white
constexpr int kColours = 12;

struct Rgb {
  float red = 0;
  float green = 0;
  float blue = 0;
};

// How much a colour belongs to each name; the sum is 1.
std::array<float, kColours> colour_weights(Rgb colour);

// The name that a pixel belongs to most, from a table of 32 x 32 x 32.
int colour_name(std::uint8_t red, std::uint8_t green, std::uint8_t blue);

}  // namespace hinny
