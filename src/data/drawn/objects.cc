#include <cmath>
#include <initializer_list>
#include <numbers>

#include "data/drawn/canvas.h"

namespace hinny::drawn {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLine = 0.035;
constexpr Rgb kWood{0.45, 0.30, 0.18};

struct Point {
  double x, y;
};

// One object being drawn: a path is built with cairo's own calls, then closed by one of these.
struct Pen {
  cairo_t* cairo;
  Paints paints;

  void outlined(const Rgb& fill) const {
    set_source(cairo, fill);
    cairo_fill_preserve(cairo);
    set_source(cairo, paints.outline);
    cairo_set_line_width(cairo, kLine);
    cairo_stroke(cairo);
  }
  void body() const { outlined(paints.body); }
  void plain(const Rgb& fill) const {
    set_source(cairo, fill);
    cairo_fill(cairo);
  }
  void line(const Rgb& color, double width) const {
    set_source(cairo, color);
    cairo_set_line_width(cairo, width);
    cairo_stroke(cairo);
  }
  void polygon(std::initializer_list<Point> points) const {
    cairo_new_sub_path(cairo);
    for (const Point& point : points) cairo_line_to(cairo, point.x, point.y);
    cairo_close_path(cairo);
  }
  void circle(double x, double y, double radius) const {
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x, y, radius, 0, 2 * kPi);
  }
  void ellipse(double x, double y, double radius_x, double radius_y) const {
    cairo_save(cairo);
    cairo_translate(cairo, x, y);
    cairo_scale(cairo, radius_x, radius_y);
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, 0, 0, 1, 0, 2 * kPi);
    cairo_restore(cairo);
  }
  void rectangle(double x, double y, double width, double height) const {
    cairo_rectangle(cairo, x, y, width, height);
  }
  void segment(Point from, Point to) const {
    cairo_move_to(cairo, from.x, from.y);
    cairo_line_to(cairo, to.x, to.y);
  }
  void curve(Point a, Point b, Point to) const {
    cairo_curve_to(cairo, a.x, a.y, b.x, b.y, to.x, to.y);
  }
};

void draw_ball(const Pen& pen) {
  pen.circle(0, 0, 0.43);
  pen.body();
  cairo_arc(pen.cairo, -0.42, 0, 0.32, -0.75, 0.75);  // seams
  cairo_new_sub_path(pen.cairo);
  cairo_arc(pen.cairo, 0.42, 0, 0.32, kPi - 0.75, kPi + 0.75);
  pen.line(pen.paints.outline, kLine);
  pen.ellipse(-0.03, -0.24, 0.09, 0.05);
  pen.plain(blend(pen.paints.body, kWhite, 0.6));
}

void draw_box(const Pen& pen) {  // a cube seen from above right
  pen.polygon({{-0.43, -0.2}, {-0.2, -0.43}, {0.43, -0.43}, {0.2, -0.2}});
  pen.outlined(blend(pen.paints.body, kWhite, 0.35));
  pen.polygon({{0.2, -0.2}, {0.43, -0.43}, {0.43, 0.2}, {0.2, 0.43}});
  pen.outlined(blend(pen.paints.body, pen.paints.outline, 0.4));
  pen.rectangle(-0.43, -0.2, 0.63, 0.63);
  pen.body();
}

void draw_triangle(const Pen& pen) {
  pen.polygon({{0, -0.42}, {0.45, 0.38}, {-0.45, 0.38}});
  pen.body();
}

void draw_star(const Pen& pen) {
  for (int i = 0; i < 10; ++i) {
    const double radius = i % 2 == 0 ? 0.46 : 0.2;
    const double angle = kPi * (i / 5.0 - 0.5);
    cairo_line_to(pen.cairo, radius * std::cos(angle), 0.03 + radius * std::sin(angle));
  }
  cairo_close_path(pen.cairo);
  pen.body();
}

void draw_heart(const Pen& pen) {
  cairo_move_to(pen.cairo, 0, 0.42);
  pen.curve({-0.65, 0.0}, {-0.45, -0.55}, {0, -0.2});
  pen.curve({0.45, -0.55}, {0.65, 0.0}, {0, 0.42});
  cairo_close_path(pen.cairo);
  pen.body();
}

void draw_house(const Pen& pen) {
  pen.rectangle(0.16, -0.42, 0.11, 0.25);  // chimney
  pen.body();
  pen.rectangle(-0.34, -0.05, 0.68, 0.47);
  pen.body();
  pen.polygon({{0, -0.44}, {0.45, -0.03}, {-0.45, -0.03}});
  pen.outlined(blend(pen.paints.body, pen.paints.outline, 0.45));
  pen.rectangle(-0.22, 0.1, 0.16, 0.32);
  pen.outlined(kWood);
  pen.rectangle(0.06, 0.08, 0.18, 0.16);
  pen.outlined(pen.paints.accent);
}

void draw_tree(const Pen& pen) {
  pen.rectangle(-0.07, 0.1, 0.14, 0.34);
  pen.outlined(kWood);
  pen.circle(-0.19, 0.02, 0.2);
  pen.circle(0.19, 0.02, 0.2);
  pen.circle(0, -0.2, 0.24);
  set_source(pen.cairo, pen.paints.outline);
  cairo_set_line_width(pen.cairo, 2 * kLine);  // half of it disappears under the crown
  cairo_stroke_preserve(pen.cairo);
  pen.plain(pen.paints.body);
}

void draw_car(const Pen& pen) {
  cairo_move_to(pen.cairo, -0.46, 0.18);
  for (const Point& point :
       {Point{-0.46, -0.02}, Point{-0.28, -0.06}, Point{-0.16, -0.28}, Point{0.16, -0.28},
        Point{0.28, -0.06}, Point{0.46, 0.0}, Point{0.46, 0.18}}) {
    cairo_line_to(pen.cairo, point.x, point.y);
  }
  cairo_close_path(pen.cairo);
  pen.body();
  pen.polygon({{-0.18, -0.07}, {-0.11, -0.21}, {-0.02, -0.21}, {-0.02, -0.07}});
  pen.polygon({{0.04, -0.07}, {0.04, -0.21}, {0.11, -0.21}, {0.18, -0.07}});
  pen.plain(pen.paints.accent);
  for (const double x : {-0.25, 0.25}) {
    pen.circle(x, 0.19, 0.12);
    pen.plain({0.12, 0.12, 0.12});
    pen.circle(x, 0.19, 0.05);
    pen.plain({0.75, 0.75, 0.75});
  }
}

void draw_fish(const Pen& pen) {
  pen.polygon({{0.18, 0}, {0.45, -0.24}, {0.45, 0.24}});
  pen.outlined(blend(pen.paints.body, pen.paints.outline, 0.3));
  pen.polygon({{-0.12, -0.18}, {0.1, -0.36}, {0.12, -0.12}});
  pen.body();
  pen.ellipse(-0.1, 0, 0.36, 0.22);
  pen.body();
  cairo_arc(pen.cairo, -0.33, 0, 0.2, -0.75, 0.75);  // gill
  pen.line(pen.paints.outline, kLine);
  pen.circle(-0.3, -0.06, 0.04);
  pen.plain(pen.paints.accent);
}

void draw_boat(const Pen& pen) {
  pen.segment({0, -0.44}, {0, 0.14});
  pen.line(kWood, 0.05);
  pen.polygon({{0.04, -0.42}, {0.36, 0.08}, {0.04, 0.08}});
  pen.outlined(blend(pen.paints.body, kWhite, 0.45));
  pen.polygon({{-0.04, -0.32}, {-0.04, 0.08}, {-0.28, 0.08}});
  pen.outlined(blend(pen.paints.body, kWhite, 0.45));
  pen.polygon({{-0.45, 0.14}, {0.45, 0.14}, {0.3, 0.4}, {-0.3, 0.4}});
  pen.body();
}

void draw_flower(const Pen& pen) {
  constexpr Rgb kStem{0.15, 0.45, 0.15};
  pen.segment({0, -0.1}, {0, 0.45});
  pen.line(kStem, 0.05);
  pen.ellipse(0.1, 0.3, 0.1, 0.045);
  pen.ellipse(-0.1, 0.36, 0.1, 0.045);
  pen.plain(kStem);
  for (int i = 0; i < 6; ++i) {
    const double angle = kPi * i / 3;
    pen.circle(0.19 * std::cos(angle), -0.14 + 0.19 * std::sin(angle), 0.125);
    pen.body();
  }
  pen.circle(0, -0.14, 0.11);
  pen.plain(pen.paints.accent);
}

void draw_cup(const Pen& pen) {
  pen.circle(0.26, 0.02, 0.14);
  pen.line(pen.paints.outline, 0.12);
  pen.circle(0.26, 0.02, 0.14);
  pen.line(pen.paints.body, 0.06);
  cairo_move_to(pen.cairo, -0.38, -0.26);
  pen.curve({-0.38, 0.3}, {-0.3, 0.4}, {-0.06, 0.4});
  pen.curve({0.18, 0.4}, {0.26, 0.3}, {0.26, -0.26});
  pen.body();
  pen.ellipse(-0.06, -0.26, 0.32, 0.09);
  pen.outlined(blend(pen.paints.body, pen.paints.outline, 0.5));
}

void draw_bird(const Pen& pen) {
  pen.polygon({{0.24, 0.08}, {0.46, -0.08}, {0.46, 0.14}});  // tail
  pen.body();
  pen.segment({-0.02, 0.26}, {-0.06, 0.42});
  pen.segment({0.1, 0.26}, {0.08, 0.42});
  pen.line({0.85, 0.55, 0.1}, 0.04);
  pen.polygon({{-0.35, -0.24}, {-0.47, -0.15}, {-0.34, -0.1}});  // beak
  pen.plain({0.95, 0.65, 0.1});
  pen.ellipse(0.05, 0.08, 0.28, 0.2);
  pen.body();
  pen.circle(-0.22, -0.17, 0.16);
  pen.body();
  pen.ellipse(0, 0.02, 0.18, 0.16);  // hides the outline between head and body
  pen.plain(pen.paints.body);
  cairo_move_to(pen.cairo, -0.06, 0.0);  // wing
  pen.curve({0.0, 0.26}, {0.24, 0.2}, {0.28, 0.02});
  cairo_close_path(pen.cairo);
  pen.outlined(blend(pen.paints.body, pen.paints.outline, 0.35));
  pen.circle(-0.25, -0.2, 0.035);
  pen.plain(pen.paints.accent);
}

void draw_apple(const Pen& pen) {
  cairo_move_to(pen.cairo, 0, -0.16);
  pen.curve({0.2, -0.32}, {0.46, -0.22}, {0.42, 0.06});
  pen.curve({0.38, 0.34}, {0.16, 0.5}, {0, 0.38});
  pen.curve({-0.16, 0.5}, {-0.38, 0.34}, {-0.42, 0.06});
  pen.curve({-0.46, -0.22}, {-0.2, -0.32}, {0, -0.16});
  cairo_close_path(pen.cairo);
  pen.body();
  pen.segment({0, -0.15}, {0.04, -0.42});
  pen.line(kWood, 0.05);
  cairo_move_to(pen.cairo, 0.05, -0.3);
  pen.curve({0.1, -0.46}, {0.24, -0.46}, {0.28, -0.4});
  pen.curve({0.22, -0.28}, {0.12, -0.26}, {0.05, -0.3});
  pen.plain({0.15, 0.5, 0.15});
}

void draw_key(const Pen& pen) {
  pen.polygon({{-0.1, -0.06},
               {0.44, -0.06},
               {0.44, 0.22},
               {0.34, 0.22},
               {0.34, 0.06},
               {0.26, 0.06},
               {0.26, 0.17},
               {0.16, 0.17},
               {0.16, 0.06},
               {-0.1, 0.06}});
  pen.body();
  cairo_set_fill_rule(pen.cairo, CAIRO_FILL_RULE_EVEN_ODD);  // the hole shows the background
  pen.circle(-0.24, 0, 0.21);
  pen.circle(-0.24, 0, 0.09);
  pen.body();
}

void draw_umbrella(const Pen& pen) {
  cairo_move_to(pen.cairo, 0, -0.44);
  cairo_line_to(pen.cairo, 0, 0.3);
  cairo_arc_negative(pen.cairo, -0.09, 0.3, 0.09, 0, -kPi);
  pen.line(kWood, 0.05);
  cairo_arc(pen.cairo, 0, 0.04, 0.44, kPi, 2 * kPi);
  for (const double x : {0.293, 0.0, -0.293}) {  // scallops along the rim
    cairo_arc_negative(pen.cairo, x, 0.04, 0.147, 0, -kPi);
  }
  cairo_close_path(pen.cairo);
  pen.body();
  cairo_move_to(pen.cairo, -0.147, 0.04);
  pen.curve({-0.13, -0.2}, {-0.06, -0.35}, {0, -0.4});
  pen.curve({0.06, -0.35}, {0.13, -0.2}, {0.147, 0.04});
  pen.line(pen.paints.outline, kLine);
}

}  // namespace

void draw_object(cairo_t* cairo, Kind kind, const Paints& paints) {
  using Draw = void (*)(const Pen&);
  static constexpr Draw kDraw[kKinds] = {draw_ball,  draw_box,   draw_triangle, draw_star,
                                         draw_heart, draw_house, draw_tree,     draw_car,
                                         draw_fish,  draw_boat,  draw_flower,   draw_cup,
                                         draw_bird,  draw_apple, draw_key,      draw_umbrella};
  cairo_save(cairo);
  cairo_new_path(cairo);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  kDraw[at(kind)]({cairo, paints});
  cairo_restore(cairo);
}

}  // namespace hinny::drawn
