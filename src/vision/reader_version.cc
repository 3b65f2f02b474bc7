#include "vision/reader_version.h"

#include <fmt/format.h>
#include <libheif/heif.h>

#include <opencv2/core/utility.hpp>

namespace hinny {

std::string picture_reader_version() {
  constexpr int kReader = 2;  // 1: without notes of PNG, WebP and XMP
  return fmt::format("{}, libheif {}, OpenCV {}", kReader, heif_get_version(),
                     cv::getVersionString());
}

}  // namespace hinny
