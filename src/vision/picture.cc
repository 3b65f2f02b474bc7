#include "vision/picture.h"

#include <fmt/format.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "base/files.h"
#include "base/request_error.h"

namespace hinny {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

cv::Mat decode(std::span<const std::byte> file) {
  const cv::Mat view(1, static_cast<int>(file.size()), CV_8U, const_cast<std::byte*>(file.data()));
  try {
    return cv::imdecode(view, cv::IMREAD_COLOR);
  } catch (const cv::Exception&) {
    return {};
  }
}

}  // namespace

Picture decode_picture(std::span<const std::byte> file) {
  if (file.size() > kMostBytes) {
    throw RequestError(fmt::format("a picture of {} bytes", file.size()),
                       fmt::format("at most {} MiB", kMostBytes >> 20U));
  }
  const PictureSize size = stated_size(file);
  if (size.width * size.height > kMostPixels) {
    throw RequestError(fmt::format("{} x {} pixels", size.width, size.height),
                       fmt::format("at most {} million", kMostPixels / 1'000'000));
  }
  const cv::Mat blue_first = decode(file);
  if (blue_first.empty()) throw RequestError("the picture is corrupt");

  Picture picture{blue_first.cols, blue_first.rows, {}};
  picture.pixels.resize(blue_first.total() * 3);
  cv::Mat target(picture.height, picture.width, CV_8UC3, picture.pixels.data());
  cv::cvtColor(blue_first, target, cv::COLOR_BGR2RGB);
  return picture;
}

Picture read_picture(const std::filesystem::path& file) {
  const std::string bytes = read_file(file, kMostBytes);
  try {
    return decode_picture(std::as_bytes(std::span(bytes)));
  } catch (const InputError& error) {
    throw InputError(file, error.what(), "");
  }
}

}  // namespace hinny
