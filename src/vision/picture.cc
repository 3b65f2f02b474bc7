#include "vision/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "base/files.h"
#include "base/request_error.h"

namespace hinny {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;

bool is_jpeg(std::span<const std::byte> file) {
  return file.size() > 2 && file[0] == std::byte{0xff} && file[1] == std::byte{0xd8};
}

// Other formats would be decoded in full and then shrunk.
cv::ImreadModes mode_of(std::span<const std::byte> file, const PictureSize& size, int least) {
  const std::int64_t shorter = std::min(size.width, size.height);
  if (least <= 0 || !is_jpeg(file) || shorter < 2 * std::int64_t{least}) return cv::IMREAD_COLOR;
  if (shorter < 4 * std::int64_t{least}) return cv::IMREAD_REDUCED_COLOR_2;
  return shorter < 8 * std::int64_t{least} ? cv::IMREAD_REDUCED_COLOR_4
                                           : cv::IMREAD_REDUCED_COLOR_8;
}

cv::Mat decode(std::span<const std::byte> file, cv::ImreadModes mode) {
  const cv::Mat view(1, static_cast<int>(file.size()), CV_8U, const_cast<std::byte*>(file.data()));
  try {
    return cv::imdecode(view, mode);
  } catch (const cv::Exception&) {
    return {};
  }
}

}  // namespace

Picture decode_picture(std::span<const std::byte> file, int least) {
  if (file.size() > kMostBytes) {
    throw RequestError(fmt::format("a picture of {} bytes", file.size()),
                       fmt::format("at most {} MiB", kMostBytes >> 20U));
  }
  const PictureSize size = stated_size(file);
  if (size.width * size.height > kMostPixels) {
    throw RequestError(fmt::format("{} x {} pixels", size.width, size.height),
                       fmt::format("at most {} million", kMostPixels / 1'000'000));
  }
  const cv::Mat blue_first = decode(file, mode_of(file, size, least));
  if (blue_first.empty()) throw RequestError("the picture is corrupt");

  Picture picture{blue_first.cols, blue_first.rows, {}};
  picture.pixels.resize(blue_first.total() * 3);
  cv::Mat target(picture.height, picture.width, CV_8UC3, picture.pixels.data());
  cv::cvtColor(blue_first, target, cv::COLOR_BGR2RGB);
  return picture;
}

Picture read_picture(const std::filesystem::path& file, int least) {
  const std::string bytes = read_file(file, kMostBytes);
  try {
    return decode_picture(std::as_bytes(std::span(bytes)), least);
  } catch (const InputError& error) {
    throw InputError(file, error.what(), "");
  }
}

}  // namespace hinny
