#include "index/tree/file_kinds.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace hinny {
namespace {

// Files with several pictures (MPO, sequences) count for their first.
constexpr std::array<std::string_view, 10> kJpeg = {".jpg", ".jpeg",  ".jpe", ".jfif", ".jif",
                                                    ".jfi", ".pjpeg", ".pjp", ".mpo",  ".insp"};
constexpr std::array<std::string_view, 6> kHeic = {".heic",  ".heif",  ".hif",
                                                   ".heics", ".heifs", ".avci"};
constexpr std::array<std::string_view, 6> kPictures = {".png", ".apng", ".avif",
                                                       ".tif", ".tiff", ".jxl"};
constexpr std::array<std::string_view, 2> kMayMove = {".gif", ".webp"};
// Of which LibRaw may know the camera.
constexpr std::array<std::string_view, 30> kRaw = {
    ".3fr", ".arw", ".cap", ".cr2", ".cr3", ".crw", ".dcr", ".dng", ".erf", ".fff",
    ".iiq", ".k25", ".kdc", ".mef", ".mos", ".mrw", ".nef", ".nrw", ".orf", ".ori",
    ".pef", ".raf", ".raw", ".rw2", ".rwl", ".sr2", ".srf", ".srw", ".x3f", ".mdc"};
constexpr std::array<std::string_view, 28> kFilms = {
    ".mov", ".mp4",  ".m4v", ".avi",  ".mkv", ".webm", ".3gp", ".3g2",  ".mts", ".m2ts",
    ".wmv", ".mpg",  ".mpe", ".mpeg", ".flv", ".vob",  ".ogv", ".insv", ".lrv", ".mod",
    ".asf", ".divx", ".mxf", ".qt",   ".tod", ".rm",   ".m2v", ".braw"};
constexpr std::array<std::string_view, 26> kOtherPictures = {
    ".bmp", ".gpr", ".eip", ".jp2", ".j2k", ".jpf", ".jpx", ".psd", ".psb",
    ".svg", ".ico", ".tga", ".exr", ".hdr", ".pbm", ".pgm", ".ppm", ".pnm",
    ".eps", ".xcf", ".dds", ".pcx", ".wdp", ".jxr", ".hdp", ".kra"};

std::string ending_of(const std::filesystem::path& name) {
  return small_letters(name.extension().string());
}

bool is_in(const auto& list, const std::string& ending) {
  return std::ranges::count(list, ending) > 0;
}

}  // namespace

std::string small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

CameraFile camera_file(const std::filesystem::path& name) {
  const std::string ending = ending_of(name);
  if (is_in(kJpeg, ending)) return CameraFile::jpeg;
  if (is_in(kHeic, ending)) return CameraFile::heic;
  return is_in(kRaw, ending) ? CameraFile::raw : CameraFile::none;
}

FileKind kind_of_file(const std::filesystem::path& name) {
  if (camera_file(name) != CameraFile::none) return FileKind::picture;
  const std::string ending = ending_of(name);
  if (is_in(kPictures, ending) || is_in(kMayMove, ending)) return FileKind::picture;
  if (is_in(kFilms, ending)) return FileKind::film;
  return is_in(kOtherPictures, ending) ? FileKind::other_picture : FileKind::other;
}

bool may_have_frames(const std::filesystem::path& file) {
  return is_film(file) || is_in(kMayMove, ending_of(file.filename()));
}

void FilesNotRead::count(FileKind kind) {
  if (kind == FileKind::film) ++films;
  if (kind == FileKind::other_picture) ++other_pictures;
  if (kind == FileKind::other) ++others;
}

}  // namespace hinny
