// A scene as a picture.
#pragma once

#include <string>

#include "data/drawn/scene.h"

namespace hinny::drawn {

// The bytes of a PNG file, kCanvas pixels wide and high, anti-aliased. Equal scenes give equal
// bytes. Throws Failure when cairo does. Safe to call from several threads.
std::string paint_png(const Scene& scene);

}  // namespace hinny::drawn
