#include "vision/picture.h"

#include <fmt/format.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "base/error.h"
#include "base/files.h"

namespace hinny {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

cv::Mat decode(const std::string& bytes) {
  const cv::Mat view(1, static_cast<int>(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
  try {
    return cv::imdecode(view, cv::IMREAD_COLOR);
  } catch (const cv::Exception&) {
    return {};
  }
}

}  // namespace

Picture read_picture(const std::filesystem::path& file) {
  const std::string bytes = read_file(file, kMostBytes);
  try {
    const PictureSize size = stated_size(std::as_bytes(std::span(bytes)));
    if (size.width * size.height > kMostPixels) {
      throw InputError(fmt::format("{} x {} pixels", size.width, size.height),
                       fmt::format("at most {} million", kMostPixels / 1'000'000));
    }
  } catch (const InputError& error) {
    throw InputError(file, error.what(), "");
  }
  const cv::Mat blue_first = decode(bytes);
  if (blue_first.empty()) throw InputError(file, "the picture is corrupt", "");

  Picture picture{blue_first.cols, blue_first.rows, {}};
  picture.pixels.resize(blue_first.total() * 3);
  cv::Mat target(picture.height, picture.width, CV_8UC3, picture.pixels.data());
  cv::cvtColor(blue_first, target, cv::COLOR_BGR2RGB);
  return picture;
}

}  // namespace hinny
