// Raw pictures of cameras, by LibRaw: the JPEG that the camera put into the file, where that is
// large enough, else the sensor's data at half their size, which needs no guessing of colours.
#include <fmt/format.h>
#include <libraw/libraw.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/request_error.h"
#include "kernels/one_openmp_thread.h"
#include "vision/picture_decoder.h"
#include "vision/raw_kind.h"
#include "vision/raw_stream.h"
#include "vision/row_sink.h"

namespace hinny {
namespace {

constexpr bool kBefore21 = LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0);
constexpr std::uint64_t kMostPreview = std::uint64_t{64} << 20U;

// LibRaw's numbers of how a picture lies -> EXIF's.
int exif_of(int flip) {
  constexpr std::array<int, 8> kExif = {1, 2, 4, 3, 5, 8, 6, 7};
  return kExif[static_cast<unsigned>(flip) & 7U];
}

RequestError raw_refusal(int code) {
  const std::string_view why = libraw_strerror(code);
  switch (code) {
    case LIBRAW_FILE_UNSUPPORTED:
    case LIBRAW_NOT_IMPLEMENTED:
      return RequestError(
          fmt::format("unsupported by LibRaw {}; a newer one may read it", LibRaw::version()));
    case LIBRAW_TOO_BIG:
    case LIBRAW_UNSUFFICIENT_MEMORY:
      return RequestError(fmt::format("too large for LibRaw: {}", why));
    default:
      return RequestError(fmt::format("damaged: this raw picture: {}", why));
  }
}

// A file open in LibRaw.
class OpenRaw {
 public:
  explicit OpenRaw(const ByteSource& file)
      : raw_(std::make_unique<LibRaw>()), data_(raw_->imgdata), stream_(file, data_.idata.filters) {
    raw_->set_dataerror_handler(
        [](void* self, const char*, auto) { static_cast<OpenRaw*>(self)->damaged_ = true; }, this);
    silence_and_bound(*raw_);
    data_.params.half_size = 1;
    data_.params.use_camera_wb = 1;
    data_.params.user_flip = 0;  // turned like every other picture
    data_.params.output_bps = 8;
    data_.params.gamm[0] = 1 / 2.4;  // sRGB
    data_.params.gamm[1] = 12.92;
    check(raw_->open_datastream(&stream_));
    orientation = exif_of(data_.sizes.flip);
  }

  int orientation = 1;

  void check(int code) const {
    stream_.check_disk();
    if (code != LIBRAW_SUCCESS) throw raw_refusal(code);
  }
  bool mosaic() const { return data_.idata.filters != 0; }
  // What decode() makes; pixels that are not square, and sensors that stand on a corner, make
  // others.
  PictureSize size() const {
    const std::int64_t step = mosaic() ? 2 : 1;
    return {(data_.sizes.width + step - 1) / step, (data_.sizes.height + step - 1) / step};
  }
  // Measured: docs/search-your-pictures.md.
  std::uint64_t memory() const {
    const libraw_image_sizes_t& sizes = data_.sizes;
    const std::uint64_t pixels = std::uint64_t{std::max(sizes.raw_width, sizes.width)} *
                                 std::max(sizes.raw_height, sizes.height);
    return pixels * (raw_->is_floating_point() != 0 ? 24
                     : mosaic()                     ? 8
                                                    : 20) +
           data_.thumbnail.tlength + sizeof(LibRaw);
  }
  // Whether its data can be decoded. Version 0.20 does so in loops of OpenMP that a damaged file
  // ends with the process: such pictures are shown by their previews.
  bool decodes() const {
    libraw_decoder_info_t decoder{};
    if (raw_->get_decoder_info(&decoder) != LIBRAW_SUCCESS) return false;
    const std::string_view name = decoder.decoder_name == nullptr ? "" : decoder.decoder_name;
    return !kBefore21 || (!name.starts_with("fuji_compressed") && !name.starts_with("crx"));
  }

  // The camera's JPEG, or nothing. LibRaw's own way of reading it prints what is wrong with it.
  EmbeddedJpeg preview() const {
    const INT64 at = raw_->get_internal_data_pointer()->internal_data.toffset;
    return {static_cast<std::uint64_t>(std::max<INT64>(at, 0)), data_.thumbnail.tlength,
            orientation};
  }

  Picture decode(const SensorData& sensor, int shrink) {
    const OneOpenmpThread guard;
    stream_.pad();
    check(raw_->unpack());
    std::string warning;
    if (stream_.ran_out()) {
      if (sensor.there >= sensor.stated) throw RequestError("damaged: the picture is cut off");
      warning =
          what_is_missing(static_cast<double>(sensor.there) / static_cast<double>(sensor.stated));
    } else if (damaged_) {
      warning = "its data are damaged; what can be read is";
    }
    check(raw_->dcraw_process());
    int width = 0, height = 0, colours = 0, bits = 0;
    raw_->get_mem_image_format(&width, &height, &colours, &bits);
    if (width < 1 || height < 1 || bits != 8 || (colours != 1 && colours != 3)) {
      throw RequestError(fmt::format("unsupported: a raw picture of {} colours", colours));
    }
    const auto columns = static_cast<std::size_t>(width);
    const std::size_t line = columns * static_cast<std::size_t>(colours);
    std::vector<std::uint8_t> all(line * static_cast<std::size_t>(height));
    check(raw_->copy_mem_image(all.data(), static_cast<int>(line), 0));
    RowSink sink(width, height, RowSink::Pixels::rgb, shrink);
    std::vector<std::uint8_t> grey(colours == 1 ? 3 * columns : 0);
    for (const std::uint8_t* row = all.data(); row < all.data() + all.size(); row += line) {
      for (std::size_t i = 0; i < grey.size(); ++i) grey[i] = row[i / 3];
      sink.put(grey.empty() ? row : grey.data());
    }
    Picture picture = sink.finish();
    picture.warning = std::move(warning);
    return picture;
  }

 private:
  static void silence_and_bound(LibRaw& raw) {
    constexpr unsigned kMostMegabytes = kMostDecodingBytes >> 20U;
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
    raw.set_memerror_handler([](void*, const char*, const char*) {}, nullptr);
    raw.imgdata.params.max_raw_memory_mb = kMostMegabytes;
#else
    raw.imgdata.rawparams.max_raw_memory_mb = kMostMegabytes;
#endif
  }

  std::unique_ptr<LibRaw> raw_;
  libraw_data_t& data_;
  RawStream stream_;
  bool damaged_ = false;
};

class PreviewDecoder : public PictureDecoder {
 public:
  PreviewDecoder(std::vector<std::byte> jpeg, int turned, const PictureSize& sensor)
      : bytes_(std::move(jpeg)), source_(bytes_), jpeg_(open_jpeg(source_)) {
    size = jpeg_->size;
    // Some cameras turn it themselves.
    const bool lies = sensor.width > sensor.height, stands = size.height > size.width;
    orientation = turned >= 5 && lies && stands ? 1 : turned;
  }
  bool scales() const override { return true; }
  std::uint64_t memory(int shrink) const override { return bytes_.size() + jpeg_->memory(shrink); }
  Picture decode(int shrink) override { return jpeg_->decode(shrink); }

 private:
  std::vector<std::byte> bytes_;
  HeldBytes source_;
  std::unique_ptr<PictureDecoder> jpeg_;
};

class SensorDecoder : public PictureDecoder {
 public:
  SensorDecoder(std::unique_ptr<OpenRaw> raw, const SensorData& sensor)
      : raw_(std::move(raw)), sensor_(sensor) {
    size = raw_->size();
    orientation = raw_->orientation;
  }
  std::uint64_t memory(int) const override { return raw_->memory(); }
  Picture decode(int shrink) override { return raw_->decode(sensor_, shrink); }

 private:
  std::unique_ptr<OpenRaw> raw_;
  SensorData sensor_;
};

// Whether decoding the sensor's data would give no more of what is asked for.
bool suffices(const PictureSize& preview, const PictureSize& sensor, const Enough& enough) {
  const auto [shorter, longer] = std::minmax(preview.width, preview.height);
  const auto [least, most] = std::minmax(sensor.width, sensor.height);
  if (enough.shorter == 0 && enough.longer == 0) return longer >= most * 15 / 16;
  return (enough.shorter == 0 || shorter >= std::min<std::int64_t>(enough.shorter, least)) &&
         (enough.longer == 0 || longer >= std::min<std::int64_t>(enough.longer, most));
}

std::unique_ptr<PictureDecoder> open_preview(const ByteSource& file, const EmbeddedJpeg& jpeg,
                                             const PictureSize& sensor) try {
  if (jpeg.at == 0 || jpeg.bytes > kMostPreview) return nullptr;
  std::vector<std::byte> bytes(static_cast<std::size_t>(jpeg.bytes));
  bytes.resize(file.read(jpeg.at, bytes));
  if (picture_format(bytes) != PictureFormat::jpeg) return nullptr;
  return std::make_unique<PreviewDecoder>(std::move(bytes), jpeg.turned, sensor);
} catch (const RequestError&) {
  return nullptr;
}

}  // namespace

std::unique_ptr<PictureDecoder> open_raw(const ByteSource& file, const Enough& enough) try {
  auto raw = std::make_unique<OpenRaw>(file);
  const bool decodes = raw->decodes(), fits = raw->memory() <= kMostDecodingBytes * 3 / 4;
  auto preview = open_preview(file, raw->preview(), raw->size());
  if (preview && (!decodes || !fits || suffices(preview->size, raw->size(), enough))) {
    return preview;
  }
  if (!decodes) throw raw_refusal(LIBRAW_NOT_IMPLEMENTED);
  return std::make_unique<SensorDecoder>(std::move(raw), sensor_data(file).value_or(SensorData()));
} catch (const RequestError&) {  // a new camera's, perhaps, or damaged
  constexpr PictureSize kLying{3, 2};
  if (auto preview = open_preview(file, embedded_jpeg(file), kLying)) return preview;
  throw;
}

}  // namespace hinny
