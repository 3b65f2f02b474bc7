#include "vision/raw_kind.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "vision/bounded_bytes.h"
#include "vision/note_bytes.h"

namespace hinny {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMostDirectories = 64, kMostOfOne = 4096, kMostParts = 65536;
constexpr std::uint64_t kCompression = 259, kTurned = 274, kJpegAt = 513, kJpegBytes = 514;
constexpr std::uint64_t kPhotometric = 262, kStripAt = 273, kStripBytes = 279, kTileAt = 324,
                        kTileBytes = 325, kBelow = 330, kDngVersion = 50706;
constexpr std::uint64_t kSensor = 32803, kLinear = 34892;  // what photometric is of raw pictures

// The directories of a TIFF file, those below others too.
class RawDirectories {
 public:
  explicit RawDirectories(const ByteSource& file)
      : size_(file.size()), bytes_([&file](std::uint64_t at, std::size_t count) {
          std::string read(count, '\0');
          read.resize(file.read(at, std::as_writable_bytes(std::span(read))));
          return read;
        }) {}

  std::optional<SensorData> find() {
    const std::string head = bytes_.at(0, 16);
    big_ = head.starts_with("MM");
    pending_ = {number(head, 4, 4)};
    std::optional<SensorData> largest;
    if (NoteBytes::number_in(std::string_view(head).substr(std::min<std::size_t>(head.size(), 8)),
                             2, false) == 0x5243) {  // "CR"
      largest.emplace();
    }
    for (std::size_t i = 0; i < pending_.size() && i < kMostDirectories; ++i) {
      const auto data = look_at(pending_[i]);
      if (data && (!largest || data->stated > largest->stated)) largest = data;
    }
    return largest;
  }

  const EmbeddedJpeg& jpeg() const { return jpeg_; }

 private:
  std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size) const {
    return at < bytes.size() ? NoteBytes::number_in(bytes.substr(at), size, big_) : 0;
  }

  std::optional<SensorData> look_at(std::uint64_t at) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes_.number(at, 2, big_), kMostOfOne));
    if (at == 0 || count == 0) return std::nullopt;
    const std::string entries = bytes_.at(at + 2, 12 * count + 4);
    bool raw = false, jpeg = false;
    std::vector<std::uint64_t> places, sizes;
    EmbeddedJpeg old;  // as TIFF 6 had it
    for (std::size_t i = 0; i + 12 <= std::min(entries.size(), 12 * count); i += 12) {
      const std::string_view entry = std::string_view(entries).substr(i, 12);
      const auto first = [&] {
        const auto values = numbers(entry);
        return values.empty() ? 0 : values[0];
      };
      switch (number(entry, 0, 2)) {
        case kCompression:
          jpeg = first() == 6 || first() == 7;
          break;
        case kTurned:
          if (at == pending_.front()) jpeg_.turned = static_cast<int>(first());
          break;
        case kJpegAt:
          old.at = first();
          break;
        case kJpegBytes:
          old.bytes = first();
          break;
        case kPhotometric:
          raw = raw || first() == kSensor || first() == kLinear;
          break;
        case kDngVersion:
          dng_ = true;
          break;
        case kStripAt:
        case kTileAt:
          places = numbers(entry);
          break;
        case kStripBytes:
        case kTileBytes:
          sizes = numbers(entry);
          break;
        case kBelow:
          for (const std::uint64_t one : numbers(entry)) follow(one);
          break;
        default:
          break;
      }
    }
    follow(number(entries, 12 * count, 4));
    keep(old);
    if (jpeg && !raw && places.size() == 1 && sizes.size() == 1) keep({places[0], sizes[0]});
    if (!raw) return dng_ ? std::optional(SensorData()) : std::nullopt;
    SensorData data;
    for (std::size_t i = 0; i < std::min(places.size(), sizes.size()); ++i) {
      data.stated += sizes[i];
      if (places[i] < size_) data.there += std::min(sizes[i], size_ - places[i]);
    }
    return data;
  }

  void keep(const EmbeddedJpeg& one) {
    if (one.at == 0 || one.bytes <= jpeg_.bytes || bytes_.at(one.at, 2) != "\xFF\xD8") return;
    jpeg_.at = one.at;
    jpeg_.bytes = one.bytes;
  }
  void follow(std::uint64_t at) {
    if (at != 0 && std::ranges::find(pending_, at) == pending_.end()) pending_.push_back(at);
  }

  // Of 2 or 4 bytes each.
  std::vector<std::uint64_t> numbers(std::string_view entry) const {
    constexpr std::uint64_t kShort = 3, kLong = 4, kDirectory = 13;
    const std::uint64_t type = number(entry, 2, 2);
    if (type != kShort && type != kLong && type != kDirectory) return {};
    const std::size_t size = type == kShort ? 2 : 4;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(number(entry, 4, 4), kMostParts));
    const std::string values = size * count <= 4 ? std::string(entry.substr(8, size * count))
                                                 : bytes_.at(number(entry, 8, 4), size * count);
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i + size <= values.size(); i += size) {
      all.push_back(number(values, i, size));
    }
    return all;
  }

  std::uint64_t size_;
  NoteBytes bytes_;
  bool big_ = false, dng_ = false;
  EmbeddedJpeg jpeg_;
  std::vector<std::uint64_t> pending_;
};

}  // namespace

bool begins_as_raw(std::span<const std::byte> head) {
  const BoundedBytes bytes(head);
  return bytes.has(0, "FUJIFILMCCD-RAW"sv) || bytes.has(0, "IIRO"sv) || bytes.has(0, "IIRS"sv) ||
         bytes.has(0, "MMOR"sv) || bytes.has(0, "IIU\0"sv) || bytes.has(4, "ftypcrx "sv) ||
         bytes.has(0, "FOVb"sv) || bytes.has(0, "\0MRM"sv) || bytes.has(6, "HEAPCCDR"sv) ||
         (bytes.has(0, "II*\0"sv) && bytes.has(8, "CR"sv));
}

std::optional<SensorData> sensor_data(const ByteSource& tiff) {
  return RawDirectories(tiff).find();
}

EmbeddedJpeg embedded_jpeg(const ByteSource& file) {
  constexpr std::size_t kPlace = 84;
  const std::vector<std::byte> head = file.head(kPlace + 8);
  const BoundedBytes bytes(head);
  if (bytes.has(0, "FUJIFILMCCD-RAW"sv) && head.size() == kPlace + 8) {
    return {bytes.big32(kPlace), bytes.big32(kPlace + 4)};
  }
  RawDirectories directories(file);
  if (bytes.has(0, "II"sv) || bytes.has(0, "MM"sv)) directories.find();
  return directories.jpeg();
}

}  // namespace hinny
