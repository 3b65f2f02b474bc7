#include <numbers>

#include "data/drawn/canvas.h"

namespace hinny::drawn {
namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;
constexpr Box kAll{0, 0, kCanvas, kCanvas};

void fill_gradient(cairo_t* cairo, const Rgb& top, const Rgb& bottom) {
  cairo_pattern_t* pattern = cairo_pattern_create_linear(0, 0, 0, kCanvas);
  cairo_pattern_add_color_stop_rgb(pattern, 0, top.red, top.green, top.blue);
  cairo_pattern_add_color_stop_rgb(pattern, 1, bottom.red, bottom.green, bottom.blue);
  cairo_set_source(cairo, pattern);
  cairo_paint(cairo);
  cairo_pattern_destroy(pattern);
}

void dots(cairo_t* cairo, const Rgb& color, int count, double radius, Random& random) {
  set_source(cairo, color);
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(0, kCanvas);
    const double y = random.uniform(0, kCanvas);
    cairo_arc(cairo, x, y, radius * random.uniform(0.5, 1), 0, kFullTurn);
    cairo_fill(cairo);
  }
}

void sky(cairo_t* cairo, Random& random) {
  fill_gradient(cairo, {0.55, 0.78, 0.96}, {0.80, 0.92, 1.0});
  set_source(cairo, kWhite, 0.75);
  for (int cloud = 0; cloud < 4; ++cloud) {
    const double x = random.uniform(0, kCanvas);
    const double y = random.uniform(0, kCanvas);
    for (const double offset : {-14.0, 0.0, 14.0}) {
      cairo_new_sub_path(cairo);
      cairo_arc(cairo, x + offset, y, offset == 0 ? 12 : 8, 0, kFullTurn);
    }
    cairo_fill(cairo);
  }
}

void meadow(cairo_t* cairo, Random& random) {
  fill_gradient(cairo, {0.62, 0.83, 0.46}, {0.50, 0.75, 0.36});
  cairo_set_line_width(cairo, 1.5);
  set_source(cairo, {0.40, 0.65, 0.28});
  for (int blade = 0; blade < 140; ++blade) {
    const double x = random.uniform(0, kCanvas);
    const double y = random.uniform(0, kCanvas);
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, x + random.uniform(-3, 3), y - 7);
  }
  cairo_stroke(cairo);
}

void sand(cairo_t* cairo, Random& random) {
  fill_gradient(cairo, {0.94, 0.87, 0.67}, {0.88, 0.78, 0.56});
  dots(cairo, {0.76, 0.66, 0.46}, 220, 1.2, random);
}

void night(cairo_t* cairo, Random& random) {
  fill_gradient(cairo, {0.04, 0.05, 0.16}, {0.11, 0.12, 0.30});
  dots(cairo, {0.85, 0.85, 0.70}, 60, 1.1, random);
}

void snow(cairo_t* cairo, Random& random) {
  fill_gradient(cairo, {0.86, 0.90, 0.95}, {0.95, 0.97, 1.0});
  dots(cairo, kWhite, 70, 4, random);
  dots(cairo, {0.72, 0.80, 0.90}, 60, 1.5, random);
}

void water(cairo_t* cairo, Random& random) {
  fill_gradient(cairo, {0.36, 0.68, 0.78}, {0.20, 0.50, 0.66});
  set_source(cairo, {0.65, 0.86, 0.90});
  cairo_set_line_width(cairo, 1.5);
  for (int wave = 0; wave < 40; ++wave) {
    const double x = random.uniform(-10, kCanvas);
    const double y = random.uniform(0, kCanvas);
    cairo_move_to(cairo, x, y);
    cairo_curve_to(cairo, x + 6, y - 5, x + 12, y + 5, x + 18, y);
  }
  cairo_stroke(cairo);
}

void wall(cairo_t* cairo, Random& random) {
  constexpr double kWidth = 32, kHeight = 16;
  fill_rectangle(cairo, {0.72, 0.70, 0.68}, kAll);
  const double shift = random.uniform(0, kWidth);
  for (int row = 0; row * kHeight < kCanvas; ++row) {
    const double left = -kWidth - shift + (row % 2) * kWidth / 2;
    for (int brick = 0; left + brick * kWidth < kCanvas; ++brick) {
      const double tone = random.uniform(0.52, 0.60);
      fill_rectangle(cairo, {tone, tone * 0.97, tone * 0.94},
                     {left + brick * kWidth, row * kHeight, kWidth - 2, kHeight - 2});
    }
  }
}

void room(cairo_t* cairo, Random& random) {
  fill_rectangle(cairo, {0.96, 0.88, 0.82}, kAll);
  const double floor = kCanvas * random.uniform(0.66, 0.74);
  fill_rectangle(cairo, {0.62, 0.44, 0.30}, {0, floor, kCanvas, kCanvas - floor});
  fill_rectangle(cairo, {0.99, 0.97, 0.94}, {0, floor - 7, kCanvas, 7});
  set_source(cairo, {0.48, 0.33, 0.22});
  cairo_set_line_width(cairo, 1.5);
  for (int board = -10; board <= 20; ++board) {  // the boards meet far behind the wall
    cairo_move_to(cairo, kCanvas / 2 + (board - 5) * 22, floor);
    cairo_line_to(cairo, kCanvas / 2 + (board - 5) * 36, kCanvas);
  }
  cairo_stroke(cairo);
}

}  // namespace

void draw_background(cairo_t* cairo, Background background, Random& random) {
  using Draw = void (*)(cairo_t*, Random&);
  static constexpr Draw kDraw[kBackgrounds] = {sky, meadow, sand, night, snow, water, wall, room};
  kDraw[at(background)](cairo, random);
}

}  // namespace hinny::drawn
