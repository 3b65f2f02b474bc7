#include "vision/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "base/files.h"
#include "base/request_error.h"
#include "vision/heif.h"

namespace hinny {
namespace {

// Other formats would be decoded in full and then shrunk.
cv::ImreadModes mode_of(std::span<const std::byte> file, const PictureSize& size, int least) {
  const std::int64_t shorter = std::min(size.width, size.height);
  if (least <= 0 || picture_format(file) != PictureFormat::jpeg ||
      shorter < 2 * std::int64_t{least})
    return cv::IMREAD_COLOR;
  if (shorter < 4 * std::int64_t{least}) return cv::IMREAD_REDUCED_COLOR_2;
  return shorter < 8 * std::int64_t{least} ? cv::IMREAD_REDUCED_COLOR_4
                                           : cv::IMREAD_REDUCED_COLOR_8;
}

cv::Mat decode(std::span<const std::byte> file, cv::ImreadModes mode) {
  // What OpenCV would say on stderr of a broken file, its caller says.
  static const auto quiet = cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  static_cast<void>(quiet);
  const cv::Mat view(1, static_cast<int>(file.size()), CV_8U, const_cast<std::byte*>(file.data()));
  try {
    return cv::imdecode(view, mode);
  } catch (const cv::Exception&) {
    return {};
  }
}

}  // namespace

Picture decode_picture(std::span<const std::byte> file, int least) {
  if (file.size() > kMostPictureBytes) {
    throw RequestError(fmt::format("a picture of {} bytes", file.size()),
                       fmt::format("at most {} MiB", kMostPictureBytes >> 20U));
  }
  const PictureSize size = stated_size(file);
  if (size.width * size.height > kMostPixels) {
    throw RequestError(fmt::format("{} x {} pixels", size.width, size.height),
                       fmt::format("at most {} million", kMostPixels / 1'000'000));
  }
  if (picture_format(file) == PictureFormat::heif) return decode_heif(file);
  const cv::Mat blue_first = decode(file, mode_of(file, size, least));
  if (blue_first.empty()) throw RequestError("the picture is corrupt");

  Picture picture{blue_first.cols, blue_first.rows, {}};
  picture.pixels.resize(blue_first.total() * 3);
  cv::Mat target(picture.height, picture.width, CV_8UC3, picture.pixels.data());
  cv::cvtColor(blue_first, target, cv::COLOR_BGR2RGB);
  return picture;
}

Picture read_picture(const std::filesystem::path& file, int least) {
  const std::string bytes = read_file(file, kMostPictureBytes);
  try {
    return decode_picture(std::as_bytes(std::span(bytes)), least);
  } catch (const InputError& error) {
    throw InputError(file, error.what(), "");
  }
}

}  // namespace hinny
