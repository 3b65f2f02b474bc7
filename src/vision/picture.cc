#include "vision/picture.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>

#include "base/request_error.h"
#include "vision/bounded_bytes.h"
#include "vision/decoding_memory.h"
#include "vision/heif.h"
#include "vision/jxl.h"
#include "vision/picture_decoder.h"
#include "vision/picture_program.h"
#include "vision/raw_kind.h"

namespace hinny {
namespace {

// As much as fits with what others decode.
void hold_memory(std::uint64_t bytes, const std::function<void()>& work) {
  const DecodingMemory held(bytes);
  work();
}

template <typename Read>
auto naming(const std::filesystem::path& file, const Read& read) {
  const FileBytes bytes(file);
  try {
    return read(bytes);
  } catch (const RequestError& error) {
    throw InputError(file, error.what(), "");
  } catch (const CannotRead& error) {
    errno = error.why();
    throw_unreadable(file, "cannot read");
  }
}

void use_picture_of(const std::filesystem::path& file, const Enough& enough, const TakePicture& use,
                    std::int64_t at = kNoMoment) {
  naming(file, [&](const FileBytes& bytes) {
    if (decodes_apart()) return decode_apart(bytes.file().descriptor(), enough, use, at);
    decode_here(bytes, enough, hold_memory, use, at);
  });
}

}  // namespace

PictureFormat picture_format(std::span<const std::byte> bytes) {
  const BoundedBytes file(bytes);
  if (file.has(0, "\x89PNG\r\n\x1A\n")) return PictureFormat::png;
  if (file.has(0, "\xFF\xD8\xFF")) return PictureFormat::jpeg;
  if (begins_as_raw(bytes)) return PictureFormat::raw;
  if (is_jxl(bytes)) return PictureFormat::jxl;
  if (file.has(0, "GIF87a") || file.has(0, "GIF89a")) return PictureFormat::gif;
  if (file.has(0, "RIFF") && file.has(8, "WEBP")) return PictureFormat::webp;
  for (const std::string_view start :
       {std::string_view("II*\0", 4), {"MM\0*", 4}, {"II+\0", 4}, {"MM\0+", 4}}) {
    if (file.has(0, start)) return PictureFormat::tiff;
  }
  return is_heif(bytes) ? PictureFormat::heif : PictureFormat::none;
}

Picture decode_picture(std::span<const std::byte> file, const Enough& enough) {
  Picture result;
  const auto take = [&](Picture&& picture) { result = std::move(picture); };
  if (decodes_apart()) {
    decode_apart(PassedBytes(file).descriptor(), enough, take);
  } else {
    decode_here(HeldBytes(file), enough, hold_memory, take);
  }
  return result;
}

Picture read_picture(const std::filesystem::path& file, const Enough& enough) {
  return read_picture_at(file, kNoMoment, enough);
}

void use_picture(const std::filesystem::path& file, const Enough& enough,
                 const std::function<void(const Picture&)>& use) {
  use_picture_of(file, enough, [&](const Picture& picture) { use(picture); });
}

Picture read_picture_at(const std::filesystem::path& file, std::int64_t at, const Enough& enough) {
  Picture result;
  use_picture_of(
      file, enough, [&](Picture&& picture) { result = std::move(picture); }, at);
  return result;
}

std::vector<std::int64_t> scenes_of_picture(const std::filesystem::path& file, int most) {
  return naming(file, [&](const FileBytes& bytes) {
    if (decodes_apart()) return scenes_apart(bytes.file().descriptor(), most);
    return scenes_here(bytes, most, hold_memory);
  });
}

PictureSize stated_size(std::span<const std::byte> file) {
  if (decodes_apart()) return size_apart(PassedBytes(file).descriptor());
  return size_here(HeldBytes(file));
}

PictureNotes picture_notes(const std::filesystem::path& file) try {
  return naming(file, [](const FileBytes& bytes) {
    return decodes_apart() ? notes_apart(bytes.file().descriptor()) : notes_here(bytes);
  });
} catch (const InputError&) {  // who reads the picture says why
  return {};
}

std::vector<std::byte> whole_file(const ByteSource& file) {
  if (file.size() > kMostPictureBytes) {
    throw RequestError(fmt::format("too large: a file of {} MiB", file.size() >> 20U),
                       fmt::format("at most {} MiB", kMostPictureBytes >> 20U));
  }
  return file.head(static_cast<std::size_t>(file.size()));
}

int exif_orientation(std::span<const std::byte> block) try {
  const BoundedBytes all(block);
  if (all.has(0, {"Exif\0\0", 6})) block = block.subspan(6);
  const BoundedBytes bytes(block);
  const bool little = bytes.has(0, "II");
  if (!little && !bytes.has(0, "MM")) return 1;
  const auto number = [&](std::size_t at) { return little ? bytes.little16(at) : bytes.big16(at); };
  const std::size_t start = little ? bytes.little32(4) : bytes.big32(4);
  for (std::size_t i = 0; i < number(start); ++i) {
    constexpr std::uint32_t kOrientation = 0x112;
    const std::size_t entry = start + 2 + 12 * i;
    if (number(entry) == kOrientation) return static_cast<int>(number(entry + 8));
  }
  return 1;
} catch (const RequestError&) {  // cut off
  return 1;
}

std::string what_is_missing(double share_there) {
  const double percent = 100 * share_there;
  if (share_there < kLeastShare) {
    throw RequestError(
        fmt::format("damaged: cut off, {:.0f} % of the picture is there", std::floor(percent)));
  }
  if (percent > 99) return "its end is missing; what is there is read";
  return fmt::format("its last {:.0f} % are missing; what is there is read", 100 - percent);
}

}  // namespace hinny
