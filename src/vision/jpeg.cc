// JPEG, by libjpeg-turbo.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
// Needs what stands above.
#include <jerror.h>
#include <jpeglib.h>

#include "base/request_error.h"
#include "vision/picture_decoder.h"
#include "vision/row_sink.h"

namespace hinny {
namespace {

// Whether libjpeg does not know the kind of file, as against a broken one.
bool is_unsupported(int code) {
  constexpr std::array<int, 6> kCodes = {JERR_SOF_UNSUPPORTED,    JERR_BAD_PRECISION,
                                         JERR_ARITH_NOTIMPL,      JERR_CCIR601_NOTIMPL,
                                         JERR_CONVERSION_NOTIMPL, JERR_FRACT_SAMPLE_NOTIMPL};
  return std::ranges::find(kCodes, code) != kCodes.end();
}

class JpegDecoder : public PictureDecoder {
 public:
  explicit JpegDecoder(const ByteSource& file) : file_(file) {
    jpeg_.err = jpeg_std_error(&errors_);
    jpeg_.client_data = this;
    errors_.error_exit = [](j_common_ptr jpeg) { of(jpeg).fail(); };
    errors_.emit_message = [](j_common_ptr jpeg, int level) {
      if (level < 0) of(jpeg).warned();
    };
    source_.init_source = [](j_decompress_ptr) {};
    source_.term_source = [](j_decompress_ptr) {};
    source_.fill_input_buffer = [](j_decompress_ptr jpeg) { return of(jpeg).fill(); };
    source_.skip_input_data = [](j_decompress_ptr jpeg, long count) { of(jpeg).skip(count); };
    source_.resync_to_restart = jpeg_resync_to_restart;
    progress_.progress_monitor = [](j_common_ptr jpeg) { of(jpeg).check_scans(); };
    if (!guarded(&JpegDecoder::read_header)) {
      jpeg_destroy_decompress(&jpeg_);
      give_up();
    }
    size = {jpeg_.image_width, jpeg_.image_height};
    read_markers();
  }
  ~JpegDecoder() override { jpeg_destroy_decompress(&jpeg_); }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  bool scales() const override { return true; }

  // A progressive file's coefficients are all kept, 2 bytes each; others come by rows of blocks.
  std::uint64_t memory(int) const override {
    constexpr std::uint64_t kBlock = DCTSIZE2 * sizeof(JCOEF), kRows = 64;
    std::uint64_t bytes = kRows * jpeg_.image_width * static_cast<unsigned>(jpeg_.num_components);
    for (int i = 0; jpeg_has_multiple_scans(const_cast<j_decompress_ptr>(&jpeg_)) != 0 &&
                    i < jpeg_.num_components;
         ++i) {
      const jpeg_component_info& part = jpeg_.comp_info[i];
      bytes += kBlock * part.width_in_blocks * part.height_in_blocks;
    }
    return bytes;
  }

  Picture decode(int shrink) override {
    const int scale = std::min(shrink, 8);
    jpeg_.scale_num = 1;
    jpeg_.scale_denom = static_cast<unsigned>(scale);
    const bool inks = jpeg_.jpeg_color_space == JCS_CMYK || jpeg_.jpeg_color_space == JCS_YCCK;
    jpeg_.out_color_space = inks ? JCS_CMYK : JCS_RGB;
    if (!guarded(&JpegDecoder::start)) give_up();
    row_.resize(std::size_t{jpeg_.output_width} * (inks ? 4 : 3));
    sink_.emplace(
        jpeg_.output_width, jpeg_.output_height,
        inks ? RowSink::Pixels::cmyk : RowSink::Pixels::rgb, shrink / scale,
        transform_of(std::as_bytes(std::span(profile_)), inks ? Channels::cmyk : Channels::rgb));
    const bool whole = guarded(&JpegDecoder::read_rows);
    if (broken_) std::rethrow_exception(broken_);
    double there = lost_at_.value_or(1);
    if (!whole) there = std::min(there, static_cast<double>(sink_->rows()) / jpeg_.output_height);
    if (!whole && sink_->rows() == 0) give_up();
    Picture picture = sink_->finish();
    if (there < 1 || ended_early_) {
      picture.warning = what_is_missing(there);
    } else if (damaged_) {
      picture.warning = "its data are damaged; what can be read is";
    }
    return picture;
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16U;

  template <typename Jpeg>
  static JpegDecoder& of(Jpeg* jpeg) {
    return *static_cast<JpegDecoder*>(jpeg->client_data);
  }

  // False where libjpeg gave up within. What `step` calls has no destructors to miss.
  bool guarded(void (JpegDecoder::*step)()) {
    if (setjmp(jump_) != 0) return false;
    (this->*step)();
    return true;
  }

  void read_header() {
    jpeg_create_decompress(&jpeg_);
    jpeg_.src = &source_;
    jpeg_save_markers(&jpeg_, JPEG_APP0 + 1, 0xFFFF);
    jpeg_save_markers(&jpeg_, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(&jpeg_, TRUE);
  }
  void start() {
    jpeg_.progress = &progress_;
    jpeg_start_decompress(&jpeg_);
  }
  void read_rows() {
    while (jpeg_.output_scanline < jpeg_.output_height && lost_at_.value_or(1) >= kLeastShare) {
      JSAMPROW row = row_.data();
      if (jpeg_read_scanlines(&jpeg_, &row, 1) != 1) break;
      sink_->put(row_.data());
    }
  }

  void read_markers() {
    std::vector<std::string> parts;  // of the profile
    bool seen = false;
    for (const jpeg_marker_struct* marker = jpeg_.marker_list; marker != nullptr;
         marker = marker->next) {
      const std::string bytes(reinterpret_cast<const char*>(marker->data), marker->data_length);
      if (marker->marker == JPEG_APP0 + 1 && !seen && bytes.starts_with("Exif")) {
        seen = true;
        orientation = exif_orientation(std::as_bytes(std::span(bytes)));
      }
      if (marker->marker != JPEG_APP0 + 2 || bytes.size() < 14) continue;
      if (!bytes.starts_with(std::string("ICC_PROFILE\0", 12))) continue;
      const std::size_t number = static_cast<unsigned char>(bytes[12]);  // from 1
      parts.resize(std::max(parts.size(), number));
      if (number > 0) parts[number - 1] = bytes.substr(14);
    }
    for (const std::string& part : parts) profile_ += part;
  }

  [[noreturn]] void fail() {
    code_ = errors_.msg_code;
    std::array<char, JMSG_LENGTH_MAX> text{};
    errors_.format_message(reinterpret_cast<j_common_ptr>(&jpeg_), text.data());
    std::copy(text.begin(), text.end(), why_.begin());
    longjmp(jump_, 1);
  }
  [[noreturn]] void give_up() const {
    if (broken_) std::rethrow_exception(broken_);
    if (code_ == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (ended_early_) throw RequestError("damaged: cut off before the picture begins");
    throw RequestError(fmt::format("{}: this JPEG: {}",
                                   is_unsupported(code_) ? "unsupported" : "damaged", why_.data()));
  }

  void warned() {
    switch (errors_.msg_code) {
      case JWRN_JPEG_EOF:
      case JWRN_EXTRANEOUS_DATA:  // between two segments
        return;
      case JWRN_HIT_MARKER:
        if (jpeg_.unread_marker < JPEG_RST0 || jpeg_.unread_marker > JPEG_RST0 + 7) lost_here();
        break;
      default:
        break;
    }
    damaged_ = true;
  }
  // What follows in this scan is missing; after the first scan there is something of each row.
  void lost_here() {
    if (lost_at_) return;
    lost_at_ = jpeg_.input_scan_number > 1
                   ? 1
                   : static_cast<double>(jpeg_.input_iMCU_row) / jpeg_.total_iMCU_rows;
  }

  boolean fill() {
    std::size_t count = 0;
    try {
      count = file_.read(at_, std::as_writable_bytes(std::span(buffer_)));
    } catch (...) {
      broken_ = std::current_exception();
      fail();
    }
    at_ += count;
    if (count == 0) {  // as if the file ended here
      ended_early_ = true;
      if (jpeg_.arith_code != 0 && jpeg_.total_iMCU_rows > 0) lost_here();
      buffer_[0] = 0xFF;
      buffer_[1] = JPEG_EOI;
      count = 2;
    }
    source_.next_input_byte = buffer_.data();
    source_.bytes_in_buffer = count;
    return TRUE;
  }
  void skip(long count) {
    if (count <= 0) return;
    const auto bytes = static_cast<std::size_t>(count);
    if (bytes <= source_.bytes_in_buffer) {
      source_.next_input_byte += bytes;
      source_.bytes_in_buffer -= bytes;
      return;
    }
    at_ += bytes - source_.bytes_in_buffer;
    source_.bytes_in_buffer = 0;
  }
  // A small file may state thousands of scans, each a walk over all that was stated.
  void check_scans() {
    constexpr int kMostScans = 500;
    if (jpeg_.input_scan_number <= kMostScans) return;
    errors_.msg_code = JERR_BAD_PROGRESSION;
    fail();
  }

  const ByteSource& file_;
  std::uint64_t at_ = 0;
  std::array<JOCTET, kBuffer> buffer_{};
  jpeg_decompress_struct jpeg_{};
  jpeg_error_mgr errors_{};
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
  std::jmp_buf jump_{};
  int code_ = 0;
  std::array<char, JMSG_LENGTH_MAX> why_{};
  std::exception_ptr broken_;      // what reading the file threw
  bool ended_early_ = false;       // the file, before its end mark
  bool damaged_ = false;           // somewhere
  std::optional<double> lost_at_;  // the share of the rows up to where the rest is missing
  std::string profile_;
  std::vector<JSAMPLE> row_;
  std::optional<RowSink> sink_;
};

}  // namespace

std::unique_ptr<PictureDecoder> open_jpeg(const ByteSource& file) {
  return std::make_unique<JpegDecoder>(file);
}

}  // namespace hinny
