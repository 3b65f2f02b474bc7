#include "vision/jxl_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/request_error.h"
#include "vision/heif_boxes.h"

namespace hinny {
namespace {

// Bits from the least significant on; beyond the end the file is cut off.
class JxlBits {
 public:
  explicit JxlBits(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t take(unsigned count) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i, ++at_) {
      if (at_ / 8 >= bytes_.size()) throw RequestError("damaged: the picture is cut off");
      const auto byte = std::to_integer<std::uint64_t>(bytes_[at_ / 8]);
      value |= (byte >> (at_ % 8) & 1U) << i;
    }
    return value;
  }
  bool flag() { return take(1) != 0; }
  // One of four ways to write a number: so many bits, beyond a least number.
  struct Way {
    unsigned bits = 0;
    std::uint64_t least = 0;
  };
  std::uint64_t u32(const std::array<Way, 4>& ways) {
    const Way& way = ways[take(2)];
    return way.least + take(way.bits);
  }
  std::uint64_t u64() {
    switch (take(2)) {
      case 0:
        return 0;
      case 1:
        return 1 + take(4);
      case 2:
        return 17 + take(8);
      default:
        break;
    }
    std::uint64_t value = take(12);
    for (unsigned shift = 12; flag(); shift += 8) {
      if (shift == 60) return value | take(4) << shift;
      value |= take(8) << shift;
    }
    return value;
  }
  void skip(std::uint64_t bits) {
    if (bits > 8 * bytes_.size()) throw RequestError("damaged: the picture is cut off");
    at_ += static_cast<std::size_t>(bits);
  }
  void to_byte() { at_ = (at_ + 7) / 8 * 8; }
  std::size_t byte() const { return at_ / 8; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

using Ways = std::array<JxlBits::Way, 4>;
constexpr Ways kUpTo3 = {{{0, 0}, {0, 1}, {0, 2}, {0, 3}}};
constexpr Ways kPowers = {{{0, 1}, {0, 2}, {0, 4}, {0, 8}}};

std::uint64_t parts_of(std::uint64_t all, std::uint64_t one) { return (all + one - 1) / one; }

// One frame's header (annex C), as far as its size and what follows it take.
class JxlFrame {
 public:
  JxlFrame(JxlBits& bits, const JxlHeader& header)
      : bits_(bits), header_(header), width_(header.width), height_(header.height) {
    if (!bits_.flag()) read();  // else all is as usual: one whole frame, the last
  }

  bool shown() const { return last_ || duration_ > 0; }
  bool by_parts() const { return plain_ && !modular_ && !sized_ && last_ && upsampling_ == 1; }
  void check_size() const {
    const std::uint64_t pixels = width_ * height_;
    if (pixels <= kMostHiddenPixels || pixels <= header_.width * header_.height) return;
    throw RequestError(fmt::format("too large: a frame of {} x {} pixels", width_, height_),
                       "none larger than the picture");
  }

  // Bytes of its parts, whose sizes stand behind the header.
  std::uint64_t size_of_parts() {
    const std::uint64_t step = std::uint64_t{1} << (3 * dc_level_);
    const std::uint64_t width = parts_of(parts_of(width_, step), upsampling_),
                        height = parts_of(parts_of(height_, step), upsampling_);
    const std::uint64_t group = std::uint64_t{128} << group_shift_;
    const std::uint64_t groups = parts_of(width, group) * parts_of(height, group);
    const std::uint64_t blocks_across = parts_of(width, 8U << across_) << across_,
                        blocks_down = parts_of(height, 8U << down_) << down_;
    const std::uint64_t coarse = parts_of(blocks_across, group) * parts_of(blocks_down, group);
    const std::uint64_t count = groups == 1 && passes_ == 1 ? 1 : 2 + coarse + groups * passes_;
    constexpr std::uint64_t kMostParts = 65536;
    if (count > kMostParts) throw RequestError("damaged: this JPEG XL: too many parts");
    if (bits_.flag())
      throw RequestError("unsupported: a JPEG XL whose hidden frames are reordered");
    bits_.to_byte();
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      all += bits_.u32({{{10, 0}, {14, 1024}, {22, 17408}, {30, 4211712}}});
    }
    bits_.to_byte();
    return all;
  }

 private:
  enum : std::uint64_t { kRegular, kCoarse, kReference, kProgressive };
  static constexpr std::uint64_t kUsesCoarse = 32;
  static constexpr std::uint64_t kMadeOfMore = 63;  // noise, patches, splines, a coarse frame

  void read() {
    type_ = bits_.take(2);
    modular_ = bits_.flag();
    const std::uint64_t flags = bits_.u64();
    const bool whole = (flags & kUsesCoarse) == 0;
    plain_ = (flags & kMadeOfMore) == 0;
    const bool alternate = !header_.xyb && bits_.flag();  // YCbCr
    if (alternate && whole) read_subsampling();
    if (whole) {
      upsampling_ = bits_.u32(kPowers);
      for (std::size_t i = 0; i < header_.extra_channels; ++i) bits_.u32(kPowers);
    }
    if (modular_) group_shift_ = static_cast<unsigned>(bits_.take(2));
    if (!modular_ && header_.xyb) bits_.skip(6);
    if (type_ != kReference) read_passes();
    if (type_ == kCoarse) {
      dc_level_ = static_cast<unsigned>(bits_.u32({{{0, 1}, {0, 2}, {0, 3}, {0, 4}}}));
    } else if (bits_.flag()) {
      sized_ = true;
      read_size();
    }
    last_ = false;
    if (seen()) {
      for (std::size_t i = 0; i <= header_.extra_channels; ++i) read_blending(i == 0);
      if (header_.animated) {
        duration_ = bits_.u32({{{0, 0}, {0, 1}, {8, 0}, {32, 0}}});
        if (header_.timecodes) bits_.skip(32);
      }
      last_ = bits_.flag() && type_ == kRegular;
    }
    std::uint64_t saved = 0;
    if (type_ != kCoarse && !last_) saved = bits_.u32(kUpTo3);
    const bool referenced = !last_ && type_ != kCoarse && (duration_ == 0 || saved != 0);
    if ((referenced && replaces_ && !partial_ && seen()) || type_ == kReference) bits_.skip(1);
    bits_.skip(8 * bits_.u32({{{0, 0}, {4, 0}, {5, 16}, {10, 48}}}));  // its name
    read_filters();
    skip_extensions();
  }
  bool seen() const { return type_ == kRegular || type_ == kProgressive; }

  void read_subsampling() {
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t mode = bits_.take(2);
      across_ = std::max(across_, mode == 1 || mode == 2 ? 1U : 0U);
      down_ = std::max(down_, mode == 1 || mode == 3 ? 1U : 0U);
    }
  }
  void read_passes() {
    passes_ = bits_.u32({{{0, 1}, {0, 2}, {0, 3}, {3, 4}}});
    if (passes_ == 1) return;
    const std::uint64_t smaller = bits_.u32({{{0, 0}, {0, 1}, {0, 2}, {1, 3}}});
    bits_.skip(2 * (passes_ - 1));
    for (std::uint64_t i = 0; i < smaller; ++i) bits_.u32(kPowers);
    for (std::uint64_t i = 0; i < smaller; ++i) bits_.u32({{{0, 0}, {0, 1}, {0, 2}, {3, 0}}});
  }
  void read_size() {
    constexpr Ways kSize = {{{8, 0}, {11, 256}, {14, 2304}, {30, 18688}}};
    std::int64_t left = 0, top = 0;
    const auto place = [&] {
      const std::uint64_t value = bits_.u32(kSize);
      return (value & 1U) != 0 ? -static_cast<std::int64_t>(value / 2) - 1
                               : static_cast<std::int64_t>(value / 2);
    };
    if (seen()) left = place(), top = place();
    width_ = bits_.u32(kSize);
    height_ = bits_.u32(kSize);
    partial_ =
        seen() &&
        (left > 0 || top > 0 ||
         static_cast<std::int64_t>(width_) + left < static_cast<std::int64_t>(header_.width) ||
         static_cast<std::int64_t>(height_) + top < static_cast<std::int64_t>(header_.height));
  }
  void read_blending(bool colours) {
    enum : std::uint64_t { kReplace, kAdd, kBlend, kAddByAlpha, kMultiply };
    const std::uint64_t mode = bits_.u32({{{0, 0}, {0, 1}, {0, 2}, {2, 3}}});
    if (colours) replaces_ = mode == kReplace;
    const bool by_alpha = header_.extra_channels > 0 && (mode == kBlend || mode == kAddByAlpha);
    if (by_alpha) bits_.u32({{{0, 0}, {0, 1}, {0, 2}, {3, 3}}});
    if (by_alpha || mode == kMultiply) bits_.skip(1);
    if (mode != kReplace || partial_) bits_.u32(kUpTo3);
  }
  void read_filters() {
    constexpr unsigned kNumber = 16;
    if (bits_.flag()) return;
    if (bits_.flag() && bits_.flag()) bits_.skip(6 * kNumber);
    if (bits_.take(2) > 0) {
      if (!modular_ && bits_.flag()) bits_.skip(8 * kNumber);
      if (bits_.flag()) bits_.skip(5 * kNumber);
      if (bits_.flag()) bits_.skip((modular_ ? 3 : 4) * kNumber);
      if (modular_) bits_.skip(kNumber);
    }
    skip_extensions();
  }
  void skip_extensions() {
    std::uint64_t bits = 0;
    for (std::uint64_t there = bits_.u64(); there != 0; there &= there - 1) {
      bits += std::min(bits_.u64(), std::uint64_t{1} << 40U);
    }
    bits_.skip(bits);
  }

  JxlBits& bits_;
  const JxlHeader& header_;
  std::uint64_t type_ = kRegular, width_, height_, upsampling_ = 1, passes_ = 1, duration_ = 0;
  unsigned group_shift_ = 1, dc_level_ = 0, across_ = 0, down_ = 0;
  bool plain_ = true, sized_ = false, modular_ = false, partial_ = false, replaces_ = true,
       last_ = true;
};

}  // namespace

std::vector<std::byte> jxl_stream(std::vector<std::byte> file) {
  if (!file.empty() && file.front() == std::byte{0xFF}) return file;
  std::vector<std::byte> stream;
  for_each_box(file, [&](std::string_view type, std::span<const std::byte> content, auto) {
    const std::size_t number = type == "jxlp" ? 4 : 0;
    if ((type != "jxlc" && type != "jxlp") || content.size() < number) return;
    stream.insert(stream.end(), content.begin() + static_cast<std::ptrdiff_t>(number),
                  content.end());
  });
  if (stream.empty()) throw RequestError("damaged: the picture is cut off");
  return stream;
}

JxlMade check_frames(std::span<const std::byte> frames, const JxlHeader& header) {
  constexpr int kMostHidden = 64;
  for (int i = 0; i < kMostHidden; ++i) {
    JxlBits bits(frames);
    JxlFrame frame(bits, header);
    frame.check_size();
    if (frame.shown()) {
      return i > 0 ? JxlMade::of_frames : frame.by_parts() ? JxlMade::by_parts : JxlMade::whole;
    }
    const std::uint64_t size = frame.size_of_parts();
    if (size > frames.size() - bits.byte()) {
      throw RequestError("damaged: the picture is cut off");
    }
    frames = frames.subspan(bits.byte() + static_cast<std::size_t>(size));
  }
  throw RequestError("unsupported: a JPEG XL of so many hidden frames",
                     "at most 64 before one that is shown");
}

}  // namespace hinny
