#include "data/drawn/painter.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <numbers>

#include "base/error.h"
#include "data/drawn/canvas.h"

namespace hinny::drawn {
namespace {

constexpr double kMostTilt = 6 * std::numbers::pi / 180;
constexpr double kMostShade = 0.08;  // colours vary a little from group to group

constexpr std::array<Rgb, kColors> kPalette = {{{0.86, 0.12, 0.12},
                                                {0.13, 0.30, 0.86},
                                                {0.10, 0.60, 0.20},
                                                {0.98, 0.84, 0.12},
                                                {0.13, 0.13, 0.13},
                                                {0.97, 0.97, 0.97},
                                                {0.52, 0.18, 0.68},
                                                {0.97, 0.52, 0.08}}};

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw Failure(fmt::format("cannot draw: {}", cairo_status_to_string(status)));
  }
}

cairo_status_t append(void* target, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(target)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

Paints sample_paints(Color color, Random& random) {
  const bool bright = color == Color::white || color == Color::yellow;
  Paints paints;
  paints.body = blend(kPalette[at(color)], random.uniform() < 0.5 ? kBlack : kWhite,
                      random.uniform(0, kMostShade));
  paints.outline = color == Color::black ? Rgb{0.32, 0.32, 0.32}
                                         : blend(paints.body, kBlack, bright ? 0.45 : 0.55);
  paints.accent = bright ? Rgb{0.30, 0.28, 0.26} : Rgb{0.96, 0.95, 0.88};
  return paints;
}

void draw_group(cairo_t* cairo, const Group& group, Random& random) {
  const Paints paints = sample_paints(group.color, random);
  for (const Box& box : object_boxes(group)) {
    cairo_save(cairo);
    cairo_translate(cairo, box.middle_x(), box.middle_y());
    cairo_rotate(cairo, random.uniform(-kMostTilt, kMostTilt));
    cairo_scale(cairo, box.width, box.height);
    draw_object(cairo, group.kind, paints);
    cairo_restore(cairo);
  }
}

}  // namespace

std::string paint_png(const Scene& scene) {
  const auto pixels = static_cast<int>(kCanvas);
  const std::unique_ptr<cairo_surface_t, Destroy> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels, pixels));
  const std::unique_ptr<cairo_t, Destroy> cairo(cairo_create(surface.get()));
  Random random(scene.details);
  draw_background(cairo.get(), scene.background, random);
  for (const Group& group : scene.groups) draw_group(cairo.get(), group, random);
  check(cairo_status(cairo.get()));
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

}  // namespace hinny::drawn
