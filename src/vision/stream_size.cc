#include "vision/stream_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/request_error.h"
#include "vision/bounded_bytes.h"

namespace hinny {
namespace {

// Bits from the most significant on; beyond the end they are 0.
class Bits {
 public:
  explicit Bits(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t take(unsigned count) {
    std::uint64_t value = 0;
    for (; count > 0; --count, ++at_) {
      const std::size_t byte = at_ / 8;
      const unsigned bits = byte < bytes_.size() ? std::to_integer<unsigned>(bytes_[byte]) : 0;
      value = value << 1U | (bits >> (7 - at_ % 8) & 1U);
    }
    return value;
  }
  void skip(std::size_t count) { at_ += count; }
  // Exp-Golomb, as both codecs have it.
  std::uint64_t golomb() {
    unsigned zeros = 0;
    while (zeros < 32 && take(1) == 0) ++zeros;
    return (std::uint64_t{1} << zeros) - 1 + take(zeros);
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

void check_size(std::uint64_t width, std::uint64_t height, std::uint64_t most) {
  if (width <= most && height <= most && width * height <= most) return;
  throw RequestError(fmt::format("too large: a stream of {} x {} pixels", width, height),
                     fmt::format("at most {} million", kMostHeifPixels / 1'000'000));
}

// A sequence parameter set of HEVC (ITU-T H.265, 7.3.2.2), without its two bytes of header.
void check_hevc(std::span<const std::byte> packed) {
  std::vector<std::byte> bytes;  // 0 0 3 stands for 0 0
  std::size_t zeros = 0;
  for (const std::byte byte : packed.first(std::min<std::size_t>(packed.size(), 256))) {
    if (zeros < 2 || byte != std::byte{3}) bytes.push_back(byte);
    zeros = byte == std::byte{0} ? zeros + 1 : 0;
  }
  Bits bits(bytes);
  bits.skip(4);
  const std::uint64_t layers = bits.take(3);
  bits.skip(1 + 96);  // profile, tier and level
  std::array<std::uint64_t, 8> present{};
  for (std::size_t i = 0; i < layers; ++i) present[i] = bits.take(2);
  if (layers > 0) bits.skip(2 * (8 - layers));
  for (std::size_t i = 0; i < layers; ++i) {
    bits.skip((present[i] & 2U) != 0 ? 88 : 0);
    bits.skip((present[i] & 1U) != 0 ? 8 : 0);
  }
  bits.golomb();                         // its id
  if (bits.golomb() == 3) bits.skip(1);  // 4:4:4
  const std::uint64_t width = bits.golomb();
  check_size(width, bits.golomb(), std::uint64_t{kMostHeifPixels});
}

// A sequence header of AV1 (5.5.1). Frames may be of any size that its numbers of bits allow.
void check_av1(std::span<const std::byte> bytes) {
  Bits bits(bytes);
  bits.skip(4);
  if (bits.take(1) != 0) {  // one still picture
    bits.skip(5);
  } else {
    std::uint64_t delay = 0;
    bool modelled = false;
    if (bits.take(1) != 0) {
      bits.skip(64);
      if (bits.take(1) != 0) bits.golomb();
      modelled = bits.take(1) != 0;
      if (modelled) delay = bits.take(5) + 1;
      if (modelled) bits.skip(42);
    }
    const bool delayed = bits.take(1) != 0;
    for (std::uint64_t points = bits.take(5) + 1; points > 0; --points) {
      bits.skip(12);
      if (bits.take(5) > 7) bits.skip(1);
      if (modelled && bits.take(1) != 0) bits.skip(2 * delay + 1);
      if (delayed && bits.take(1) != 0) bits.skip(4);
    }
  }
  const auto wide = static_cast<unsigned>(bits.take(4)) + 1;
  const auto high = static_cast<unsigned>(bits.take(4)) + 1;
  const std::uint64_t width = bits.take(wide) + 1;
  check_size(width, bits.take(high) + 1, std::uint64_t{kMostHeifPixels});
  check_size(std::uint64_t{1} << wide, std::uint64_t{1} << high,
             std::uint64_t{4} * kMostHeifPixels);
}

}  // namespace

void check_hevc_unit(std::span<const std::byte> unit) {
  constexpr std::uint32_t kParameters = 33;
  if (unit.size() < 2 || (std::to_integer<std::uint32_t>(unit[0]) >> 1U & 0x3FU) != kParameters)
    return;
  check_hevc(unit.subspan(2));
}

void check_av1_units(std::span<const std::byte> units) {
  const BoundedBytes bytes(units);
  for (std::size_t at = 0; at < units.size();) {
    const std::uint32_t head = bytes.byte(at++);
    if ((head & 4U) != 0) ++at;
    std::size_t size = at < units.size() ? units.size() - at : 0;
    if ((head & 2U) != 0) {
      size = 0;
      for (unsigned shift = 0; shift < 56 && at < units.size(); shift += 7) {
        const std::uint32_t byte = bytes.byte(at++);
        size |= std::size_t{byte & 0x7FU} << shift;
        if ((byte & 0x80U) == 0) break;
      }
    }
    if (at >= units.size()) return;
    if ((head >> 3U & 0xFU) == 1) check_av1(units.subspan(at, std::min(size, units.size() - at)));
    if (size > units.size() - at) return;
    at += size;
  }
}

}  // namespace hinny
