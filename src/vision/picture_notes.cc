#include "vision/picture_notes.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/request_error.h"
#include "vision/decode_here.h"
#include "vision/heif.h"
#include "vision/jxl.h"
#include "vision/note_bytes.h"
#include "vision/picture_decoder.h"
#include "vision/png_chunks.h"
#include "vision/raw_notes.h"
#include "vision/tiff_notes.h"

namespace hinny {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMostBytes = std::size_t{1} << 24U;  // of one note
constexpr std::size_t kMostPieces = 1'000'000;             // of a file
constexpr std::string_view kExifMark = "Exif\0\0"sv;

// With or without its mark, or, of some writers, with something else before it.
void add_exif(std::string_view bytes, PictureNotes& notes) {
  if (bytes.starts_with("Exif"sv)) bytes.remove_prefix(std::min(kExifMark.size(), bytes.size()));
  constexpr std::size_t kFar = 64;
  for (const std::string_view start : {"II*\0"sv, "MM\0*"sv}) {
    if (const std::size_t at = bytes.substr(0, kFar).find(start); at != std::string_view::npos) {
      return read_tiff_notes(NoteBytes(bytes.substr(at)), notes);
    }
  }
}

void add_xmp(std::string xmp, PictureNotes& notes) {
  if (notes.xmp.empty()) notes.xmp = std::move(xmp);
}

// Segments up to the picture itself; bytes that belong to none are passed over.
void read_jpeg(const NoteBytes& file, PictureNotes& notes) {
  constexpr std::string_view kXmp = "http://ns.adobe.com/xap/1.0/\0"sv;
  constexpr std::string_view kMoreXmp = "http://ns.adobe.com/xmp/extension/\0"sv;
  constexpr std::size_t kMoreHead = kMoreXmp.size() + 40;  // its name, whole size and place
  std::map<std::uint64_t, std::string> more;               // by place
  std::string more_name;
  std::uint64_t at = 2;
  for (std::size_t pieces = 0; pieces < kMostPieces; ++pieces) {
    const std::string head = file.at(at, 4);
    if (head.size() < 4) break;
    const auto marker = static_cast<unsigned char>(head[1]);
    if (head[0] != '\xFF' || marker == 0xFF || marker == 0) {
      ++at;
      continue;
    }
    if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {
      at += 2;
      continue;
    }
    if (marker == 0xD9 || marker == 0xDA) break;
    const auto size = static_cast<std::size_t>(NoteBytes::number_in(head.substr(2), 2, true));
    if (marker == 0xE1 && size > 2) {
      std::string bytes = file.at(at + 4, size - 2);
      if (bytes.starts_with("Exif"sv)) add_exif(bytes, notes);
      if (bytes.starts_with(kXmp)) add_xmp(bytes.substr(kXmp.size()), notes);
      if (bytes.starts_with(kMoreXmp) && bytes.size() > kMoreHead) {
        const std::string name = bytes.substr(kMoreXmp.size(), 32);
        if (more.empty()) more_name = name;
        const std::uint64_t place = NoteBytes::number_in(bytes.substr(kMoreHead - 4), 4, true);
        if (name == more_name) more.emplace(place, bytes.substr(kMoreHead));
      }
    }
    at += 2 + std::max<std::size_t>(size, 2);
  }
  std::string whole;
  for (const auto& [place, part] : more) {
    if (place == whole.size() && whole.size() < kMostBytes) whole += part;
  }
  notes.more_xmp = std::move(whole);
}

std::string inflated(std::string_view bytes) {
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) return "";
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  std::array<char, 65536> block{};
  for (int state = Z_OK; state == Z_OK && text.size() < kMostBytes;) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    state = ::inflate(&stream, Z_NO_FLUSH);
    text.append(block.data(), block.size() - stream.avail_out);
  }
  ::inflateEnd(&stream);
  return text;
}

// "\nexif\n    1234\n4578..." as ImageMagick writes it.
std::string unhexed(std::string_view profile) {
  for (int line = 0; line < 3 && !profile.empty(); ++line) {
    profile.remove_prefix(std::min(profile.find('\n') + 1, profile.size()));
  }
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string bytes;
  int high = -1;
  for (const char c : profile) {
    if (digit(c) < 0) continue;
    if (high < 0) {
      high = digit(c);
    } else {
      bytes += static_cast<char>(high * 16 + digit(c));
      high = -1;
    }
  }
  return bytes;
}

void add_png_text(std::string_view type, std::string_view bytes, PictureNotes& notes) {
  const std::size_t name_ends = bytes.find('\0');
  if (name_ends == std::string_view::npos) return;
  const std::string_view name = bytes.substr(0, name_ends);
  bytes.remove_prefix(name_ends + 1);
  if (type == "iTXt" && name == "XML:com.adobe.xmp" && bytes.size() > 2) {
    const bool packed = bytes[0] != 0;
    bytes.remove_prefix(2);
    for (int i = 0; i < 2; ++i) {  // its language, and its name in that
      bytes.remove_prefix(std::min(bytes.find('\0'), bytes.size() - 1) + 1);
      if (bytes.empty()) return;
    }
    return add_xmp(packed ? inflated(bytes) : std::string(bytes), notes);
  }
  if (!name.starts_with("Raw profile type ") || bytes.empty()) return;
  const std::string profile =
      unhexed(type == "zTXt" ? inflated(bytes.substr(1)) : std::string(bytes));
  if (name.ends_with("xmp")) return add_xmp(profile, notes);
  if (name.ends_with("exif") || name.ends_with("APP1")) add_exif(profile, notes);
}

void read_png(const NoteBytes& file, PictureNotes& notes) {
  for_each_png_chunk(file, [&](std::string_view type, std::uint64_t at, std::uint64_t size) {
    if (size <= kMostBytes && (type == "eXIf" || type.ends_with("TXt") || type == "tEXt")) {
      const std::string bytes = file.at(at, static_cast<std::size_t>(size));
      type == "eXIf" ? add_exif(bytes, notes) : add_png_text(type, bytes, notes);
    }
    return true;
  });
}

// One that is cut off moves no more: its first frame is shown.
void read_webp(const NoteBytes& file, PictureNotes& notes) {
  std::uint64_t at = 12;
  int frames = 0;
  const std::uint64_t end = 8 + file.number(4, 4, false);
  for (std::size_t pieces = 0; pieces < kMostPieces; ++pieces) {
    const std::string head = file.at(at, 8);
    if (head.size() < 8) return;
    const std::uint64_t size = NoteBytes::number_in(head.substr(4), 4, false);
    if (head.starts_with("ANMF") && ++frames == 2 && !file.at(end - 1, 1).empty()) notes.frames = 2;
    if (size <= kMostBytes && head.starts_with("EXIF")) {
      add_exif(file.at(at + 8, static_cast<std::size_t>(size)), notes);
    } else if (size <= kMostBytes && head.starts_with("XMP ")) {
      add_xmp(file.at(at + 8, static_cast<std::size_t>(size)), notes);
    }
    at += 8 + size + size % 2;
  }
}

// Where the blocks behind this place end, of which each says its length and the last has none.
std::uint64_t behind_gif_blocks(const NoteBytes& file, std::uint64_t at) {
  for (std::size_t pieces = 0; pieces < kMostPieces; ++pieces) {
    const std::uint64_t size = file.number(at, 1, false);
    at += 1 + size;
    if (size == 0) break;
  }
  return at;
}

void read_gif(const NoteBytes& file, PictureNotes& notes) {
  constexpr std::uint64_t kHead = 13, kImage = 10;
  const auto colours = [](std::uint64_t flags) -> std::uint64_t {
    return (flags & 0x80U) != 0 ? std::uint64_t{6} << (flags & 7U) : 0;
  };
  std::uint64_t at = kHead + colours(file.number(10, 1, false));
  int frames = 0;
  for (std::size_t pieces = 0; pieces < kMostPieces; ++pieces) {
    const std::string mark = file.at(at, 1);
    if (mark == "!") {
      at = behind_gif_blocks(file, at + 2);
    } else if (mark == ",") {
      if (++frames == 2) {
        notes.frames = 2;
        return;
      }
      at = behind_gif_blocks(file, at + kImage + colours(file.number(at + 9, 1, false)) + 1);
    } else {
      return;
    }
  }
}

// Of those that are like TIFF files, the directories; of a RAF, its JPEG.
void read_raw(const NoteBytes& file, PictureNotes& notes) {
  if (const std::uint64_t jpeg = raf_preview(file)) {
    read_jpeg(
        NoteBytes([&](std::uint64_t at, std::size_t count) { return file.at(jpeg + at, count); }),
        notes);
  } else if (file.at(4, 4) == "ftyp") {
    read_cr3_notes(file, notes);
  } else {
    read_tiff_notes(file, notes);
  }
}

void read_heif(const ByteSource& source, PictureNotes& notes) {
  const std::vector<std::byte> bytes = whole_file(source);
  add_exif(heif_exif(bytes), notes);
  add_xmp(heif_xmp(bytes), notes);
}

void read_notes(const ByteSource& source, PictureNotes& notes) {
  try {
    const NoteBytes file(source);
    const std::string head = file.at(0, 64);
    if (head.starts_with("II+\0"sv) || head.starts_with("MM\0+"sv)) {
      read_tiff_notes(file, notes);
      return;
    }
    switch (picture_format(std::as_bytes(std::span(head)))) {
      case PictureFormat::jpeg:
        read_jpeg(file, notes);
        break;
      case PictureFormat::png:
        read_png(file, notes);
        break;
      case PictureFormat::gif:
        read_gif(file, notes);
        break;
      case PictureFormat::webp:
        read_webp(file, notes);
        break;
      case PictureFormat::heif:
        read_heif(source, notes);
        break;
      case PictureFormat::jxl:
        read_jxl_notes(file, notes);
        break;
      case PictureFormat::raw:
        read_raw(file, notes);
        break;
      case PictureFormat::tiff:
        read_tiff_notes(file, notes);
        break;
      default:
        break;
    }
  } catch (const RequestError&) {  // what there is
  }
}

}  // namespace

PictureNotes notes_here(const ByteSource& source) {
  PictureNotes notes;
  read_notes(source, notes);
  try {
    const PictureSize size = shown_size_here(source);
    notes.width = static_cast<double>(size.width);
    notes.height = static_cast<double>(size.height);
  } catch (const RequestError&) {  // who reads the picture says why
  }
  return notes;
}

}  // namespace hinny
