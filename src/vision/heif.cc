#include "vision/heif.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "vision/bounded_bytes.h"
#include "vision/heif_file.h"
#include "vision/picture_decoder.h"
#include "vision/row_sink.h"
#include "vision/stream_size.h"

namespace hinny {
namespace {

// Of AV1 libaom, where it is there: dav1d writes on stderr what is wrong. nullptr: libheif's
// choice. Later versions of it refuse a decoder of another coding, and one that is not installed.
const char* silent_decoder(std::span<const std::byte> file) {
  constexpr const char* kAom = "aom";
  const heif_brand2 brand =
      heif_read_main_brand(reinterpret_cast<const std::uint8_t*>(file.data()),
                           static_cast<int>(std::min<std::size_t>(file.size(), 64)));
  if (brand != heif_fourcc_to_brand("avif") && brand != heif_fourcc_to_brand("avis"))
    return nullptr;
  std::array<const heif_decoder_descriptor*, 16> all{};
  const int count =
      heif_get_decoder_descriptors(heif_compression_AV1, all.data(), static_cast<int>(all.size()));
  const bool there = std::any_of(all.begin(), all.begin() + count, [](const auto* one) {
    return std::string_view(heif_decoder_descriptor_get_id_name(one)) == kAom;
  });
  return there ? kAom : nullptr;
}

class HeifDecoder : public PictureDecoder {
 public:
  explicit HeifDecoder(const ByteSource& source) : bytes_(whole_file(source)), file_(bytes_) {
    size = {heif_image_handle_get_width(file_.handle()),
            heif_image_handle_get_height(file_.handle())};
  }

  // Measured: docs/performance.md.
  std::uint64_t memory(int) const override {
    const bool deep = heif_image_handle_get_luma_bits_per_pixel(file_.handle()) > 8;
    const std::uint64_t pixel = (deep ? 12U : 8U) + (alpha() ? 2U : 0U);
    return bytes_.size() + pixel * static_cast<std::uint64_t>(size.width * size.height);
  }

  // Turned by libheif, so an orientation in the camera's notes (EXIF) is not applied.
  Picture decode(int shrink) override {
    const HeifOwned<heif_decoding_options> options(heif_decoding_options_alloc());
    options->convert_hdr_to_8bit = 1;
    options->decoder_id = silent_decoder(bytes_);
    heif_image* made = nullptr;
    const heif_error error = heif_decode_image(
        file_.handle(), &made, heif_colorspace_RGB,
        alpha() ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options.get());
    const HeifOwned<heif_image> image(made);
    if (error.code != heif_error_Ok) throw file_.refusal(error, false);
    const int width = heif_image_get_primary_width(image.get());
    const int height = heif_image_get_primary_height(image.get());
    int stride = 0;
    const std::uint8_t* row =
        heif_image_get_plane_readonly(image.get(), heif_channel_interleaved, &stride);
    if (row == nullptr || width < 1 || height < 1) {
      throw RequestError("damaged: the picture has no pixels");
    }
    RowSink sink(width, height, alpha() ? RowSink::Pixels::rgba : RowSink::Pixels::rgb, shrink,
                 transform());
    for (int y = 0; y < height; ++y, row += stride) sink.put(row);
    Picture picture = sink.finish();
    if (!file_.whole()) picture.warning = what_is_missing(1);
    return picture;
  }

 private:
  bool alpha() const { return heif_image_handle_has_alpha_channel(file_.handle()) != 0; }

  std::shared_ptr<const ColourTransform> transform() const {
    constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
    const std::size_t bytes = heif_image_handle_get_raw_color_profile_size(file_.handle());
    if (bytes > 0 && bytes < kMostBytes) {
      std::vector<std::byte> profile(bytes);
      const heif_error error =
          heif_image_handle_get_raw_color_profile(file_.handle(), profile.data());
      if (error.code == heif_error_Ok) return transform_of(profile, Channels::rgb);
    }
    heif_color_profile_nclx* stated = nullptr;
    heif_image_handle_get_nclx_color_profile(file_.handle(), &stated);
    const HeifOwned<heif_color_profile_nclx> colours(stated);
    return colours == nullptr ? nullptr : transform_of(*colours);
  }

  // The matrix is libheif's to apply; brightness beyond white (PQ, HLG) is taken as it comes.
  static std::shared_ptr<const ColourTransform> transform_of(
      const heif_color_profile_nclx& colours) {
    const auto curve = colours.transfer_characteristics;
    if (curve == heif_transfer_characteristic_ITU_R_BT_2100_0_PQ ||
        curve == heif_transfer_characteristic_ITU_R_BT_2100_0_HLG ||
        curve == heif_transfer_characteristic_linear) {
      return nullptr;
    }
    constexpr Primaries kP3{{0.3127, 0.329}, {0.68, 0.32}, {0.265, 0.69}, {0.15, 0.06}};
    constexpr Primaries k2020{{0.3127, 0.329}, {0.708, 0.292}, {0.17, 0.797}, {0.131, 0.046}};
    switch (colours.color_primaries) {
      case heif_color_primaries_SMPTE_EG_432_1:
        return hinny::transform_of(kP3, 0);
      case heif_color_primaries_ITU_R_BT_2020_2_and_2100_0:
        return hinny::transform_of(k2020, 0);
      default:
        return nullptr;
    }
  }
  static std::shared_ptr<const ColourTransform> transform_of(std::span<const std::byte> profile,
                                                             Channels channels) {
    return hinny::transform_of(profile, channels);
  }

  std::vector<std::byte> bytes_;
  HeifFile file_;
};

}  // namespace

std::unique_ptr<PictureDecoder> open_heif(const ByteSource& file) {
  return std::make_unique<HeifDecoder>(file);
}

bool is_heif(std::span<const std::byte> file) {
  // Later versions of libheif take films for sequences of pictures.
  constexpr std::array<std::string_view, 10> kFilms = {"mp41", "mp42", "isom", "iso2", "iso4",
                                                       "iso5", "iso6", "avc1", "qt  ", "M4V "};
  const BoundedBytes head(file);
  const auto begins = [&](std::string_view brand) { return head.has(8, brand); };
  if (!head.has(4, "ftyp") || std::ranges::any_of(kFilms, begins)) return false;
  const auto length = static_cast<int>(std::min<std::size_t>(file.size(), 1024));
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(file.data());
  return heif_check_filetype(bytes, length) != heif_filetype_no;
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
  const heif_error error = heif_image_handle_get_metadata(file.handle(), id, block.data());
  if (error.code != heif_error_Ok) return "";
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
    const heif_error error = heif_image_handle_get_metadata(file.handle(), id, block.data());
    if (error.code != heif_error_Ok) return "";
    return block;
  }
  return "";
} catch (const RequestError&) {
  return "";
}

}  // namespace hinny
