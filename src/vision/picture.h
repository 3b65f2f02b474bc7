// A picture file, decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace hinny {

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  // RGB, [height, width, 3], no gaps between rows
};

// What is read, as messages say it.
inline constexpr const char* kPictureFormats = "JPEG, PNG, WebP, HEIC, AVIF or TIFF";

// By how the file begins. heif: HEIC or AVIF.
enum class PictureFormat { none, jpeg, png, webp, heif, tiff };
PictureFormat picture_format(std::span<const std::byte> file);

// Decodes a file of these formats; the camera's rotation is applied, transparency is dropped. Of
// several pictures in it, the main one (HEIF) or the first (TIFF).
// Anything else is an InputError that names the file: missing, larger than 64 MiB, of another
// format, cut off, corrupt, or of more pixels than kMostPixels (told before memory is taken).
// Safe to call from several threads.
// `least` above 0: a JPEG of a shorter side of 2, 4 or 8 times that or more comes at a half, a
// quarter or an eighth of its size, which is decoded several times as fast.
Picture read_picture(const std::filesystem::path& file, int least = 0);
// The same for a file's bytes; throws RequestError, which names no file.
Picture decode_picture(std::span<const std::byte> file, int least = 0);

constexpr std::int64_t kMostPixels = 50'000'000;
constexpr std::uint64_t kMostPictureBytes = std::uint64_t{64} << 20U;

struct PictureSize {
  std::int64_t width = 0;
  std::int64_t height = 0;
};

// The size that a picture file states, once its parts are complete up to the end mark: decoders
// fill the missing part of a cut-off file with grey without a word. RequestError otherwise.
PictureSize stated_size(std::span<const std::byte> file);

}  // namespace hinny
