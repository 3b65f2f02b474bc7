#include "vision/coded_size.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/request_error.h"
#include "vision/bounded_bytes.h"
#include "vision/heif_boxes.h"
#include "vision/stream_size.h"

namespace hinny {
namespace {

std::span<const std::byte> part(std::span<const std::byte> bytes, std::size_t at,
                                std::size_t size) {
  if (at > bytes.size()) return {};
  return bytes.subspan(at, std::min(size, bytes.size() - at));
}

// HEVC's units, each behind its length; what is none ends them.
void check_hevc_item(std::span<const std::byte> item) {
  const BoundedBytes bytes(item);
  for (std::size_t at = 0; at + 6 <= item.size();) {
    const std::size_t size = bytes.big32(at);
    if (size < 2 || size > item.size() - at - 4) return;
    check_hevc_unit(part(item, at + 4, size));
    at += 4 + size;
  }
}

// Big-endian numbers, one after another.
struct Numbers {
  BoundedBytes bytes;
  std::size_t at = 0;

  std::uint64_t take(std::uint32_t size) {
    std::uint64_t value = 0;
    for (; size > 0; --size) value = value << 8U | bytes.byte(at++);
    return value;
  }
};

// The items of a file and where they lie (ISO/IEC 14496-12, 8.11.3), and the descriptions of their
// streams.
class Items {
 public:
  explicit Items(std::span<const std::byte> file) : file_(file) {
    for_each_box(file, [this](std::string_view type, auto content, auto) {
      if (type == "meta") read_meta(part(content, 4, content.size()));
    });
  }

  // How far items reach beyond the end.
  std::uint64_t check() {
    if (places_.empty()) return 0;
    Numbers places{BoundedBytes(places_)};
    const std::uint64_t version = places.take(1);
    places.take(3);
    const std::uint64_t sizes = places.take(2);  // of offset, length, base and index: 4 bits each
    for (std::uint64_t items = places.take(version < 2 ? 2 : 4); items > 0; --items) {
      check_item(places, version, sizes);
    }
    return beyond_;
  }

 private:
  void read_meta(std::span<const std::byte> meta) {
    for_each_box(meta, [this](std::string_view type, auto content, auto) {
      if (type == "iloc") places_ = content;
      if (type == "idat") data_ = content;
      if (type == "iprp")
        for_each_box(content, [this](std::string_view, auto all, auto) { describe(all); });
    });
  }

  void describe(std::span<const std::byte> properties) {
    for_each_box(properties, [this](std::string_view type, auto content, auto) {
      if (type == "hvcC") check_hevc_description(content);
      if (type == "av1C") check_av1_units(part(content, 4, content.size()));
      hevc_ = hevc_ || type == "hvcC";
      av1_ = av1_ || type == "av1C";
    });
  }

  // Its parameter sets: kinds of units, of each so many, each behind its length.
  static void check_hevc_description(std::span<const std::byte> content) {
    Numbers numbers{BoundedBytes(content), 22};
    for (std::uint64_t kinds = numbers.take(1); kinds > 0; --kinds) {
      numbers.take(1);
      for (std::uint64_t units = numbers.take(2); units > 0; --units) {
        const auto size = static_cast<std::size_t>(numbers.take(2));
        check_hevc_unit(part(content, numbers.at, size));
        numbers.at += size;
      }
    }
  }

  void check_item(Numbers& places, std::uint64_t version, std::uint64_t sizes) {
    const auto width = [sizes](unsigned shift) {
      return static_cast<std::uint32_t>(sizes >> shift & 0xFU);
    };
    places.take(version < 2 ? 2 : 4);
    const bool inside = version > 0 && (places.take(2) & 0xFU) == 1;
    places.take(2);
    const std::uint64_t base = places.take(width(4));
    const std::span<const std::byte> all = inside ? data_ : file_;
    std::vector<std::byte> item;
    for (std::uint64_t extents = places.take(2); extents > 0; --extents) {
      if (version > 0) places.take(width(0));
      const std::uint64_t at = base + places.take(width(12)), size = places.take(width(8));
      const auto some = part(all, at, size == 0 ? all.size() : size);
      if (at + size > all.size()) beyond_ = std::max(beyond_, at + size - all.size());
      read_ += some.size();
      if (read_ > 2 * file_.size()) throw RequestError("damaged: its pictures overlap");
      item.insert(item.end(), some.begin(), some.end());
    }
    if (hevc_) check_hevc_item(item);
    if (av1_) check_av1_units(item);
  }

  std::span<const std::byte> file_, places_, data_;
  bool hevc_ = false, av1_ = false;
  std::size_t read_ = 0;  // of items
  std::uint64_t beyond_ = 0;
};

}  // namespace

std::uint64_t check_coded_sizes(std::span<const std::byte> file) { return Items(file).check(); }

}  // namespace hinny
