#include "vision/heif.h"

#include <fmt/format.h>
#include <libheif/heif.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/request_error.h"
#include "vision/bounded_bytes.h"
#include "vision/coded_size.h"

namespace hinny {
namespace {

struct Release {
  void operator()(heif_context* context) const { heif_context_free(context); }
  void operator()(heif_image_handle* handle) const { heif_image_handle_release(handle); }
  void operator()(heif_image* image) const { heif_image_release(image); }
  void operator()(heif_decoding_options* options) const { heif_decoding_options_free(options); }
};
template <typename Thing>
using Owned = std::unique_ptr<Thing, Release>;

void check(const heif_error& error) {
  if (error.code == heif_error_Ok) return;
  const bool unknown =
      error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature;
  throw RequestError(fmt::format(
      "{}: {}",
      unknown ? "this kind of HEIF picture cannot be decoded here" : "the HEIF picture is corrupt",
      error.message));
}

// Boxes up to the end of the file, the last one whole.
void check_whole(const BoundedBytes& file) {
  for (std::size_t at = 0; at < file.size();) {
    std::uint64_t size = file.big32(at);
    if (size == 0) return;  // the last one, up to the end
    if (size == 1) size = std::uint64_t{file.big32(at + 8)} << 32U | file.big32(at + 12);
    if (size < 8) throw RequestError("the HEIF picture is corrupt");
    if (size > file.size() - at) throw RequestError("the picture is cut off");
    at += static_cast<std::size_t>(size);
  }
}

// The main picture of a file; it must outlive this.
class HeifFile {
 public:
  explicit HeifFile(std::span<const std::byte> file) : context_(heif_context_alloc()) {
    check_whole(BoundedBytes(file));
    check(heif_context_read_from_memory_without_copy(context_.get(), file.data(), file.size(),
                                                     nullptr));
    heif_context_set_max_decoding_threads(context_.get(), 0);  // pictures are read side by side
    heif_image_handle* handle = nullptr;
    check(heif_context_get_primary_image_handle(context_.get(), &handle));
    handle_.reset(handle);
  }

  heif_image_handle* handle() const { return handle_.get(); }

 private:
  Owned<heif_context> context_;
  Owned<heif_image_handle> handle_;
};

}  // namespace

bool is_heif(std::span<const std::byte> file) {
  if (!BoundedBytes(file).has(4, "ftyp")) return false;
  const auto length = static_cast<int>(std::min<std::size_t>(file.size(), 1024));
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(file.data());
  return heif_check_filetype(bytes, length) != heif_filetype_no;
}

PictureSize heif_size(std::span<const std::byte> bytes) {
  check_whole(BoundedBytes(bytes));
  check_coded_sizes(bytes);
  const HeifFile file(bytes);
  return {heif_image_handle_get_width(file.handle()), heif_image_handle_get_height(file.handle())};
}

Picture decode_heif(std::span<const std::byte> bytes) {
  const HeifFile file(bytes);
  const Owned<heif_decoding_options> options(heif_decoding_options_alloc());
  options->convert_hdr_to_8bit = 1;
  options->strict_decoding = 1;
  heif_image* made = nullptr;
  const heif_error error = heif_decode_image(file.handle(), &made, heif_colorspace_RGB,
                                             heif_chroma_interleaved_RGB, options.get());
  const Owned<heif_image> image(made);
  check(error);
  Picture picture{
      heif_image_get_primary_width(image.get()), heif_image_get_primary_height(image.get()), {}};
  int stride = 0;
  const std::uint8_t* row =
      heif_image_get_plane_readonly(image.get(), heif_channel_interleaved, &stride);
  if (row == nullptr || picture.width < 1 || picture.height < 1) {
    throw RequestError("the HEIF picture is corrupt");
  }
  const std::size_t size = static_cast<std::size_t>(picture.width) * 3;
  picture.pixels.resize(size * static_cast<std::size_t>(picture.height));
  for (auto to = picture.pixels.begin(); to != picture.pixels.end(); row += stride) {
    to = std::copy_n(row, size, to);
  }
  return picture;
}

std::string heif_exif(std::span<const std::byte> bytes) try {
  constexpr std::size_t kMostBytes = std::size_t{1} << 24U;
  const HeifFile file(bytes);
  heif_item_id id = 0;
  if (heif_image_handle_get_list_of_metadata_block_IDs(file.handle(), "Exif", &id, 1) != 1) {
    return "";
  }
  std::string block(heif_image_handle_get_metadata_size(file.handle(), id), '\0');
  if (block.size() < 4 || block.size() > kMostBytes) return "";
  check(heif_image_handle_get_metadata(file.handle(), id, block.data()));
  // A number of 4 bytes first says how far behind it the directory begins.
  const BoundedBytes numbers(std::as_bytes(std::span(block)));
  const std::size_t start = std::size_t{4} + numbers.big32(0);
  if (start >= block.size()) return "";
  return std::string("Exif\0\0", 6) + block.substr(start);
} catch (const RequestError&) {
  return "";
}

std::string heif_xmp(std::span<const std::byte> bytes) try {
  constexpr std::size_t kMostBytes = std::size_t{1} << 24U;
  constexpr int kMostBlocks = 16;
  const HeifFile file(bytes);
  std::array<heif_item_id, kMostBlocks> ids{};
  const int count = heif_image_handle_get_list_of_metadata_block_IDs(file.handle(), nullptr,
                                                                     ids.data(), kMostBlocks);
  for (const heif_item_id id : std::span(ids).first(static_cast<std::size_t>(count))) {
    const char* type = heif_image_handle_get_metadata_content_type(file.handle(), id);
    if (type == nullptr || std::string_view(type) != "application/rdf+xml") continue;
    std::string block(heif_image_handle_get_metadata_size(file.handle(), id), '\0');
    if (block.size() > kMostBytes) continue;
    check(heif_image_handle_get_metadata(file.handle(), id, block.data()));
    return block;
  }
  return "";
} catch (const RequestError&) {
  return "";
}

}  // namespace hinny
