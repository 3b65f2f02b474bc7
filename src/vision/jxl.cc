#include "vision/jxl.h"

#include <brotli/decode.h>
#include <fmt/format.h>
#include <jxl/decode.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "base/request_error.h"
#include "vision/bounded_bytes.h"
#include "vision/jxl_frames.h"
#include "vision/picture_decoder.h"
#include "vision/row_sink.h"
#include "vision/tiff_notes.h"

namespace hinny {
namespace {

using namespace std::string_view_literals;

struct ReleaseJxl {
  void operator()(JxlDecoder* decoder) const { JxlDecoderDestroy(decoder); }
};
using JxlOwned = std::unique_ptr<JxlDecoder, ReleaseJxl>;

RequestError jxl_refusal(const char* what) {
  const std::uint32_t version = JxlDecoderVersion();
  return RequestError(fmt::format("damaged, or newer than this library (libjxl {}.{}.{}): {}",
                                  version / 1'000'000, version / 1000 % 1000, version % 1000,
                                  what));
}

// Animations by their first picture. On the calling thread.
class JxlPictureDecoder : public PictureDecoder {
 public:
  explicit JxlPictureDecoder(const ByteSource& file) : stream_(jxl_stream(whole_file(file))) {
    const JxlOwned decoder = started(JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING);
    expect(decoder.get(), JXL_DEC_BASIC_INFO, "it has no header");
    if (JxlDecoderGetBasicInfo(decoder.get(), &info_) != JXL_DEC_SUCCESS) {
      throw jxl_refusal("its header");
    }
    expect(decoder.get(), JXL_DEC_COLOR_ENCODING, "its colours");
    size = {info_.xsize, info_.ysize};
    orientation = static_cast<int>(info_.orientation);
    refuse_kinds(decoder.get());
    const std::size_t behind = JxlDecoderReleaseInput(decoder.get());
    const JxlHeader header{
        info_.xsize,
        info_.ysize,
        info_.num_extra_channels,
        info_.uses_original_profile == JXL_FALSE,
        info_.have_animation != JXL_FALSE,
        info_.have_animation != JXL_FALSE && info_.animation.have_timecodes != JXL_FALSE};
    made_ = check_frames(std::span(stream_).last(behind), header);
  }

  // Measured: docs/search-your-pictures.md.
  std::uint64_t memory(int) const override {
    const std::uint64_t extra = info_.num_extra_channels;
    const auto pixels = static_cast<std::uint64_t>(size.width * size.height);
    if (made_ == JxlMade::by_parts && extra == 0) return stream_.size() + 9 * pixels;
    const std::uint64_t pixel = (made_ == JxlMade::of_frames ? 40 : 32) + 8 * extra;
    return stream_.size() + pixel * std::max(pixels, kMostHiddenPixels);
  }

  Picture decode(int shrink) override {
    const bool alpha = info_.alpha_bits > 0;
    const JxlPixelFormat format{alpha ? 4U : 3U, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    const JxlOwned decoder = started(JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    expect(decoder.get(), JXL_DEC_COLOR_ENCODING, "its colours");
    JxlColorEncoding srgb{};
    srgb.color_space = info_.num_color_channels == 1 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB;
    srgb.white_point = JXL_WHITE_POINT_D65;
    srgb.primaries = JXL_PRIMARIES_SRGB;
    srgb.transfer_function = JXL_TRANSFER_FUNCTION_SRGB;
    srgb.rendering_intent = JXL_RENDERING_INTENT_RELATIVE;
    JxlDecoderSetPreferredColorProfile(decoder.get(), &srgb);  // for colours of JPEG XL's own
    const auto transform = transform_of(profile(decoder.get()), Channels::rgb);
    expect(decoder.get(), JXL_DEC_NEED_IMAGE_OUT_BUFFER, "its first picture");
    const std::size_t line = static_cast<std::size_t>(info_.xsize) * format.num_channels;
    std::vector<std::uint8_t> pixels(line * info_.ysize);
    if (JxlDecoderSetImageOutBuffer(decoder.get(), &format, pixels.data(), pixels.size()) !=
        JXL_DEC_SUCCESS) {
      throw jxl_refusal("its first picture");
    }
    expect(decoder.get(), JXL_DEC_FULL_IMAGE, "its first picture");
    RowSink sink(info_.xsize, info_.ysize, alpha ? RowSink::Pixels::rgba : RowSink::Pixels::rgb,
                 shrink, transform);
    for (const std::uint8_t* row = pixels.data(); row < pixels.data() + pixels.size(); row += line)
      sink.put(row);
    return sink.finish();
  }

 private:
  JxlOwned started(int events) const {
    JxlOwned decoder(JxlDecoderCreate(nullptr));
    if (!decoder) throw std::bad_alloc();
    JxlDecoderSubscribeEvents(decoder.get(), events);
    JxlDecoderSetKeepOrientation(decoder.get(), JXL_TRUE);
    JxlDecoderSetUnpremultiplyAlpha(decoder.get(), JXL_TRUE);
    JxlDecoderSetInput(decoder.get(), reinterpret_cast<const std::uint8_t*>(stream_.data()),
                       stream_.size());
    return decoder;
  }

  static void expect(JxlDecoder* decoder, JxlDecoderStatus wanted, const char* what) {
    const JxlDecoderStatus status = JxlDecoderProcessInput(decoder);
    if (status == wanted) return;
    if (status == JXL_DEC_NEED_MORE_INPUT) {
      throw RequestError("damaged: the picture is cut off");
    }
    throw jxl_refusal(what);
  }

  void refuse_kinds(JxlDecoder* decoder) const {
    if (info_.have_preview != JXL_FALSE) {
      throw RequestError("unsupported: a JPEG XL with a preview in its stream");
    }
    constexpr std::uint32_t kMostChannels = 16;
    if (info_.num_extra_channels > kMostChannels) {
      throw RequestError(
          fmt::format("unsupported: a JPEG XL of {} channels", info_.num_extra_channels));
    }
    for (std::uint32_t i = 0; i < info_.num_extra_channels; ++i) {
      JxlExtraChannelInfo channel{};
      if (JxlDecoderGetExtraChannelInfo(decoder, i, &channel) == JXL_DEC_SUCCESS &&
          channel.type == JXL_CHANNEL_BLACK) {
        throw RequestError("unsupported: a JPEG XL of inks (CMYK)");
      }
    }
  }

  // Of the pixels as they come.
  static std::vector<std::byte> profile(JxlDecoder* decoder) {
    constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
    std::size_t bytes = 0;
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
    const JxlPixelFormat format{3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    const auto size_of = [&] {
      return JxlDecoderGetICCProfileSize(decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, &bytes);
    };
    const auto read = [&](std::uint8_t* into) {
      return JxlDecoderGetColorAsICCProfile(decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, into,
                                            bytes);
    };
#else
    const auto size_of = [&] {
      return JxlDecoderGetICCProfileSize(decoder, JXL_COLOR_PROFILE_TARGET_DATA, &bytes);
    };
    const auto read = [&](std::uint8_t* into) {
      return JxlDecoderGetColorAsICCProfile(decoder, JXL_COLOR_PROFILE_TARGET_DATA, into, bytes);
    };
#endif
    if (size_of() != JXL_DEC_SUCCESS || bytes == 0 || bytes > kMostBytes) return {};
    std::vector<std::byte> profile(bytes);
    if (read(reinterpret_cast<std::uint8_t*>(profile.data())) != JXL_DEC_SUCCESS) return {};
    return profile;
  }

  std::vector<std::byte> stream_;
  JxlBasicInfo info_{};
  JxlMade made_ = JxlMade::of_frames;
};

struct ReleaseBrotli {
  void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};

constexpr std::size_t kMostOfNote = std::size_t{1} << 24U;

// "" where it is broken, or says too much.
std::string unbrotlied(std::string_view bytes) {
  const std::unique_ptr<BrotliDecoderState, ReleaseBrotli> state(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
  std::size_t left = bytes.size();
  const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::string text;
  for (auto result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
       result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;) {
    std::size_t room = 0;
    result = BrotliDecoderDecompressStream(state.get(), &left, &next, &room, nullptr, nullptr);
    std::size_t made = 0;
    const std::uint8_t* out = BrotliDecoderTakeOutput(state.get(), &made);
    text.append(reinterpret_cast<const char*>(out), made);
    if (result == BROTLI_DECODER_RESULT_ERROR || text.size() > kMostOfNote) return "";
  }
  return text;
}

void add_jxl_note(std::string_view type, std::string_view bytes, PictureNotes& notes) {
  if (type == "xml " && notes.xmp.empty()) notes.xmp = bytes;
  if (type != "Exif" || bytes.size() < 4) return;
  const auto start = static_cast<std::size_t>(NoteBytes::number_in(bytes, 4, true));  // of TIFF
  bytes.remove_prefix(4);
  if (start < bytes.size()) read_tiff_notes(NoteBytes(bytes.substr(start)), notes);
}

}  // namespace

bool is_jxl(std::span<const std::byte> head) {
  const BoundedBytes bytes(head);
  return bytes.has(0, "\xFF\x0A"sv) || bytes.has(0, "\0\0\0\x0CJXL \r\n\x87\n"sv);
}

void read_jxl_notes(const NoteBytes& file, PictureNotes& notes) {
  constexpr std::size_t kMostBoxes = 10'000;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < kMostBoxes; ++i) {
    const std::string head = file.at(at, 16);
    if (head.size() < 8) return;
    std::uint64_t size = NoteBytes::number_in(head, 4, true), begin = 8;
    std::string type = head.substr(4, 4);
    if (size == 1) {
      size = NoteBytes::number_in(std::string_view(head).substr(8), 8, true);
      begin = 16;
    }
    if (size == 0) size = std::numeric_limits<std::uint32_t>::max();  // up to the end
    if (size < begin) return;
    if (type == "Exif" || type == "xml " || type == "brob") {
      const auto most = std::min<std::uint64_t>(size - begin, kMostOfNote);
      std::string content = file.at(at + begin, static_cast<std::size_t>(most));
      if (type == "brob" && content.size() > 4) {
        type = content.substr(0, 4);
        content = type == "Exif" || type == "xml " ? unbrotlied(content.substr(4)) : "";
      }
      add_jxl_note(type, content, notes);
    }
    at += size;
  }
}

std::unique_ptr<PictureDecoder> open_jxl(const ByteSource& file) {
  return std::make_unique<JxlPictureDecoder>(file);
}

}  // namespace hinny
