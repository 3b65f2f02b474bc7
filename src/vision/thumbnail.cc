#include "vision/thumbnail.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "vision/write_jpeg.h"

namespace hinny {

std::string thumbnail_jpeg(const Picture& picture, int longest_side) {
  const cv::Mat view(picture.height, picture.width, CV_8UC3,
                     const_cast<std::uint8_t*>(picture.pixels.data()));
  const double scale =
      std::min(1.0, static_cast<double>(longest_side) / std::max(picture.width, picture.height));
  const auto side = [&](int length) {
    return std::max(1, static_cast<int>(std::lround(length * scale)));
  };
  cv::Mat small;
  cv::resize(view, small, {side(picture.width), side(picture.height)}, 0, 0, cv::INTER_AREA);
  return write_jpeg({small.data, small.cols, small.rows});
}

}  // namespace hinny
