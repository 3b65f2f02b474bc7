// For tests: JPEG XL files, by libjxl's encoder.
#pragma once

#include <gtest/gtest.h>
#include <jxl/encode.h>

#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hinny {

struct JxlFrameAs {
  cv::Mat picture;                  // RGB or RGBA
  std::uint32_t duration = 1;       // 0: hidden
  std::uint32_t left = 0, top = 0;  // of a frame that is smaller
};

struct JxlAs {
  bool lossless = false;
  std::uint32_t turned = 1;
  std::string profile{};  // ICC
  bool animated = false;
  int effort = 3;
  std::optional<cv::Size> canvas{};
  std::vector<std::pair<std::string, std::string>> boxes{};  // of a container: type, content
  bool compress_boxes = false;
  bool progressive = false;
};

inline std::string jxl_of_frames(const std::vector<JxlFrameAs>& frames, const JxlAs& how) {
  struct Release {
    void operator()(JxlEncoder* encoder) const { JxlEncoderDestroy(encoder); }
  };
  const std::unique_ptr<JxlEncoder, Release> owned(JxlEncoderCreate(nullptr));
  JxlEncoder* const encoder = owned.get();
  const auto good = [](JxlEncoderStatus status) { EXPECT_EQ(status, JXL_ENC_SUCCESS); };
  if (!how.boxes.empty()) good(JxlEncoderUseBoxes(encoder));
  const cv::Mat& first = frames.front().picture;
  const bool alpha = first.channels() == 4;
  JxlBasicInfo info{};
  JxlEncoderInitBasicInfo(&info);
  const cv::Size size = how.canvas.value_or(first.size());
  info.xsize = static_cast<std::uint32_t>(size.width);
  info.ysize = static_cast<std::uint32_t>(size.height);
  info.bits_per_sample = 8;
  info.num_color_channels = first.channels() < 3 ? 1 : 3;
  info.num_extra_channels = alpha ? 1 : 0;
  info.alpha_bits = alpha ? 8 : 0;
  info.orientation = static_cast<JxlOrientation>(how.turned);
  info.uses_original_profile = how.lossless ? JXL_TRUE : JXL_FALSE;
  info.have_animation = how.animated ? JXL_TRUE : JXL_FALSE;
  info.animation.tps_numerator = 10;
  info.animation.tps_denominator = 1;
  good(JxlEncoderSetBasicInfo(encoder, &info));
  if (how.profile.empty()) {
    JxlColorEncoding colours{};
    JxlColorEncodingSetToSRGB(&colours, first.channels() < 3 ? JXL_TRUE : JXL_FALSE);
    good(JxlEncoderSetColorEncoding(encoder, &colours));
  } else {
    good(JxlEncoderSetICCProfile(encoder, reinterpret_cast<const std::uint8_t*>(how.profile.data()),
                                 how.profile.size()));
  }
  JxlEncoderFrameSettings* const settings = JxlEncoderFrameSettingsCreate(encoder, nullptr);
  good(JxlEncoderSetFrameLossless(settings, how.lossless ? JXL_TRUE : JXL_FALSE));
  good(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, how.effort));
  if (how.progressive) {
    good(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_PROGRESSIVE_DC, 1));
  }
  for (const auto& [type, content] : how.boxes) {
    good(JxlEncoderAddBox(encoder, type.c_str(),
                          reinterpret_cast<const std::uint8_t*>(content.data()), content.size(),
                          how.compress_boxes ? JXL_TRUE : JXL_FALSE));
  }
  if (!how.boxes.empty()) JxlEncoderCloseBoxes(encoder);
  for (const JxlFrameAs& frame : frames) {
    if (how.animated) {
      JxlFrameHeader header{};
      JxlEncoderInitFrameHeader(&header);
      header.duration = frame.duration;
      const bool part = frame.picture.size() != size;
      header.layer_info.have_crop = part ? JXL_TRUE : JXL_FALSE;
      header.layer_info.crop_x0 = static_cast<std::int32_t>(frame.left);
      header.layer_info.crop_y0 = static_cast<std::int32_t>(frame.top);
      header.layer_info.xsize = static_cast<std::uint32_t>(frame.picture.cols);
      header.layer_info.ysize = static_cast<std::uint32_t>(frame.picture.rows);
      header.layer_info.save_as_reference = 1;
      header.layer_info.blend_info.source = 1;  // what the frame before it was saved as
      good(JxlEncoderSetFrameHeader(settings, &header));
    }
    const JxlPixelFormat format{static_cast<std::uint32_t>(frame.picture.channels()),
                                JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    good(JxlEncoderAddImageFrame(settings, &format, frame.picture.data,
                                 frame.picture.total() * frame.picture.elemSize()));
  }
  JxlEncoderCloseInput(encoder);
  std::string bytes;
  for (JxlEncoderStatus status = JXL_ENC_NEED_MORE_OUTPUT; status == JXL_ENC_NEED_MORE_OUTPUT;) {
    std::vector<std::uint8_t> part(1U << 16U);
    std::uint8_t* next = part.data();
    std::size_t room = part.size();
    status = JxlEncoderProcessOutput(encoder, &next, &room);
    EXPECT_NE(status, JXL_ENC_ERROR);
    bytes.append(part.begin(), part.end() - static_cast<std::ptrdiff_t>(room));
  }
  return bytes;
}
inline std::string jxl_file(const cv::Mat& picture, const JxlAs& how = {}) {
  return jxl_of_frames({{picture}}, how);
}

}  // namespace hinny
