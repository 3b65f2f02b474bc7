#include "index/tree/file_kinds.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace hinny {
namespace {

// Files with several pictures (MPO, sequences) count for their first.
constexpr std::array<std::string_view, 22> kPictures = {
    ".jpg", ".jpeg", ".jpe",  ".jfif", ".jif",  ".jfi",  ".pjpeg", ".pjp",
    ".mpo", ".insp", ".png",  ".apng", ".webp", ".heic", ".heif",  ".heics",
    ".hif", ".avif", ".avci", ".tif",  ".tiff", ".heifs"};
constexpr std::array<std::string_view, 32> kRaw = {
    ".3fr", ".arw", ".cap", ".cr2", ".cr3", ".crw", ".dcr", ".dng", ".erf", ".fff", ".gpr",
    ".iiq", ".k25", ".kdc", ".mef", ".mos", ".mrw", ".nef", ".nrw", ".orf", ".ori", ".pef",
    ".raf", ".raw", ".rw2", ".rwl", ".sr2", ".srf", ".srw", ".x3f", ".eip", ".mdc"};
constexpr std::array<std::string_view, 28> kFilms = {
    ".mov", ".mp4",  ".m4v", ".avi",  ".mkv", ".webm", ".3gp", ".3g2",  ".mts", ".m2ts",
    ".wmv", ".mpg",  ".mpe", ".mpeg", ".flv", ".vob",  ".ogv", ".insv", ".lrv", ".mod",
    ".asf", ".divx", ".mxf", ".qt",   ".tod", ".rm",   ".m2v", ".braw"};
constexpr std::array<std::string_view, 26> kOtherPictures = {
    ".gif", ".bmp", ".jxl", ".jp2", ".j2k", ".jpf", ".jpx", ".psd", ".psb",
    ".svg", ".ico", ".tga", ".exr", ".hdr", ".pbm", ".pgm", ".ppm", ".pnm",
    ".eps", ".xcf", ".dds", ".pcx", ".wdp", ".jxr", ".hdp", ".kra"};

}  // namespace

std::string small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

FileKind kind_of_file(const std::filesystem::path& name) {
  const std::string ending = small_letters(name.extension().string());
  const auto is_in = [&](const auto& list) { return std::ranges::count(list, ending) > 0; };
  if (is_in(kPictures)) return FileKind::picture;
  if (is_in(kRaw)) return FileKind::raw;
  if (is_in(kFilms)) return FileKind::film;
  return is_in(kOtherPictures) ? FileKind::other_picture : FileKind::other;
}

void FilesNotRead::count(FileKind kind) {
  if (kind == FileKind::film) ++films;
  if (kind == FileKind::raw) ++raw;
  if (kind == FileKind::other_picture) ++other_pictures;
  if (kind == FileKind::other) ++others;
}

}  // namespace hinny
