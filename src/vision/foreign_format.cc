#include "vision/foreign_format.h"

#include <array>

#include "vision/bounded_bytes.h"

namespace hinny {
namespace {

using std::string_view_literals::operator""sv;

struct Beginning {
  std::size_t at;
  std::string_view bytes;
  std::string_view name;
};

constexpr std::array kBeginnings = {
    Beginning{0, "BM"sv, "a BMP picture"},
    Beginning{4, "jP  "sv, "a JPEG 2000 picture"},
    Beginning{0, "\xff\x4f\xff\x51"sv, "a JPEG 2000 picture"},
    Beginning{0, "8BPS"sv, "a Photoshop picture"},
    Beginning{0, "\x76\x2f\x31\x01"sv, "an OpenEXR picture"},
    Beginning{0, "#?RADIANCE"sv, "a Radiance picture"},
    Beginning{0, "gimp xcf"sv, "a GIMP picture"},
    Beginning{0, "qoif"sv, "a QOI picture"},
    Beginning{4, "ftyp"sv, "a film, or a picture of a kind that libheif does not know,"},
    Beginning{0, "\x1a\x45\xdf\xa3"sv, "a film"},
    Beginning{8, "AVI "sv, "a film"},
    Beginning{0, "%PDF-"sv, "a PDF document"},
    Beginning{0, "<svg"sv, "an SVG drawing"},
    Beginning{0, "<?xml"sv, "an XML document"},
};

}  // namespace

std::string_view foreign_format(std::span<const std::byte> head) {
  const BoundedBytes bytes(head);
  for (const Beginning& beginning : kBeginnings) {
    if (bytes.has(beginning.at, beginning.bytes)) return beginning.name;
  }
  return {};
}

}  // namespace hinny
