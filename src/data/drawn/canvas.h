// A thin layer over cairo: colours, and the few ways in which shapes are filled.
#pragma once

#include <cairo.h>

#include "data/drawn/scene.h"

namespace hinny::drawn {

struct Rgb {
  double red = 0, green = 0, blue = 0;
};

// `amount` 0: a; 1: b.
inline Rgb blend(const Rgb& a, const Rgb& b, double amount) {
  return {a.red + (b.red - a.red) * amount, a.green + (b.green - a.green) * amount,
          a.blue + (b.blue - a.blue) * amount};
}

inline constexpr Rgb kBlack{0, 0, 0};
inline constexpr Rgb kWhite{1, 1, 1};

inline void set_source(cairo_t* cairo, const Rgb& color, double opacity = 1) {
  cairo_set_source_rgba(cairo, color.red, color.green, color.blue, opacity);
}

inline void fill_rectangle(cairo_t* cairo, const Rgb& color, const Box& box) {
  set_source(cairo, color);
  cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
  cairo_fill(cairo);
}

// The paints of one object.
struct Paints {
  Rgb body;     // the object's colour
  Rgb outline;  // a darker tone of it
  Rgb accent;   // details that must stand out on the body: windows, wheels, eyes
};

// Draws an object of this kind into the square from (-0.5, -0.5) to (0.5, 0.5); it leaves room
// there for a tilt of some degrees.
void draw_object(cairo_t* cairo, Kind kind, const Paints& paints);

// Covers the canvas. `random` places clouds, blades of grass, waves.
void draw_background(cairo_t* cairo, Background background, Random& random);

}  // namespace hinny::drawn
