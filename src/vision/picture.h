// A picture file, decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace hinny {

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  // sRGB, [height, width, 3], no gaps between rows
  std::string warning{};             // what of the file is missing, where something is
};

// What is read, as messages say it.
inline constexpr const char* kPictureFormats =
    "JPEG, PNG, GIF, WebP, HEIC, AVIF, JPEG XL, TIFF or raw";

// By how the file begins. heif: HEIC or AVIF; tiff: some raw pictures, too (raw_kind.h).
enum class PictureFormat { none, jpeg, png, gif, webp, heif, jxl, tiff, raw };
PictureFormat picture_format(std::span<const std::byte> file);

// How much of a picture is enough; 0: every pixel that there is.
struct Enough {
  // Of the shorter side. A JPEG of 2, 4 or 8 times that or more comes at a half, a quarter or an
  // eighth of its size, which is decoded several times as fast; a raw picture as its preview, where
  // that suffices; other formats come whole.
  int shorter = 0;
  // Of the longer side: a picture of any format comes smaller.
  int longer = 0;
};

// A picture that is kept has at most so many pixels: a larger one is shrunk while it is read.
constexpr std::int64_t kMostPixels = 50'000'000;
// A file may state so many.
constexpr std::int64_t kMostStatedPixels = 1'000'000'000;
// What decoding one picture may take, and all of the process at the same time.
constexpr std::uint64_t kMostDecodingBytes = std::uint64_t{1} << 30U;
// Of files that are read into memory whole: WebP, HEIC, AVIF and JPEG XL.
constexpr std::uint64_t kMostPictureBytes = std::uint64_t{256} << 20U;

// Decodes a file of these formats, as a viewer shows it: turned as the camera was held, its colours
// converted to sRGB by the profile that the file holds, transparent parts laid on white, or on what
// a PNG file names. Of several pictures in it, the main one (HEIF) or the first. Of what a camera's
// sensor saw (raw pictures), the camera's own preview, or the data at half their size.
// A file that lacks a part is read, with a warning, while at least a third of the picture is there.
// Anything else is an InputError that names the file and says what it is: missing, of another
// format, unsupported, damaged, too large (told before memory is taken), or newer than the library.
// Decoded by a program of its own, hinny-picture, which stands beside the one that runs
// (picture_program.h): a file by which a decoder crashes, hangs or takes too much memory is an
// InputError, too, and ends nothing else. Where that program is missing, as in a program of
// others, this process decodes, and such a file ends it.
// Safe to call from several threads; waits while others decode as much as fits (decoding_memory.h).
Picture read_picture(const std::filesystem::path& file, const Enough& enough = {});
// The same for a file's bytes; throws RequestError, which names no file.
Picture decode_picture(std::span<const std::byte> file, const Enough& enough = {});

// As read_picture, and what `use` takes counts as decoding.
void use_picture(const std::filesystem::path& file, const Enough& enough,
                 const std::function<void(const Picture&)>& use);

// Of a GIF or WebP file that moves, moments of frames that stand for it, in milliseconds: one of
// each scene, `most` at most, in their order. Throws as read_picture.
std::vector<std::int64_t> scenes_of_picture(const std::filesystem::path& file, int most);
// The frame of such a moment.
Picture read_picture_at(const std::filesystem::path& file, std::int64_t at, const Enough& enough);

struct PictureSize {
  std::int64_t width = 0;
  std::int64_t height = 0;
};

// The size that a picture file states, not yet turned. Throws as decode_picture.
PictureSize stated_size(std::span<const std::byte> file);

}  // namespace hinny
