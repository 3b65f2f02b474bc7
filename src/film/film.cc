#include "film/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "film/film_stream.h"

extern "C" {
#include <libavutil/display.h>
}

namespace hinny::film {
namespace {

constexpr const char* kFormats =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,asf,flv,live_flv,ogg,mxf";
constexpr std::int64_t kMostPixels = std::int64_t{8192} * 8192;
constexpr int kMostDamage = 1000;     // packets in a row that hold nothing
constexpr std::int64_t kNear = 2000;  // milliseconds that are read on rather than sought

int refuse_to_open(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EPERM);
}

[[noreturn]] void throw_for(int error, const char* otherwise) {
  if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
  throw Unreadable(otherwise);
}

// In a film's notes or its picture's; "" where it is not there.
std::string note(const AVDictionary* notes, const char* key) {
  const AVDictionaryEntry* entry = av_dict_get(notes, key, nullptr, 0);
  return entry == nullptr ? "" : entry->value;
}

const std::int32_t* display_matrix(const AVStream& stream) {
  constexpr std::size_t kBytes = 9 * sizeof(std::int32_t);
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  const AVPacketSideData* data =
      av_packet_side_data_get(stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data,
                              AV_PKT_DATA_DISPLAYMATRIX);
  if (data == nullptr || data->size < kBytes) return nullptr;
  return reinterpret_cast<const std::int32_t*>(data->data);
#else
  std::size_t size = 0;
  const std::uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  return data == nullptr || size < kBytes ? nullptr : reinterpret_cast<const std::int32_t*>(data);
#endif
}

}  // namespace

Film::Film(int descriptor) : file_(descriptor) {
  av_log_set_level(AV_LOG_QUIET);
  open_format();
  choose_stream();
  open_decoder();
  frame_.reset(av_frame_alloc());
  last_.reset(av_frame_alloc());
  packet_.reset(av_packet_alloc());
  if (!frame_ || !last_ || !packet_) throw std::bad_alloc();
}

void Film::open_format() {
  AVFormatContext* format = avformat_alloc_context();
  if (format == nullptr) throw std::bad_alloc();
  format->pb = file_.context();
  format->flags |= AVFMT_FLAG_CUSTOM_IO;
  format->io_open = refuse_to_open;  // files and addresses that this one names
  format->format_whitelist = av_strdup(kFormats);
  format->protocol_whitelist = av_strdup("none");
  // Frees `format` where it fails.
  const int error = avformat_open_input(&format, "", nullptr, nullptr);
  if (error < 0) throw_for(error, "no film of a kind that is read, or damaged at its beginning");
  format_.reset(format);
  if (avformat_find_stream_info(format, nullptr) == AVERROR(ENOMEM)) throw std::bad_alloc();
}

// The largest picture that moves, which a cover of an album does not.
void Film::choose_stream() {
  bool sounds = false;
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    AVStream* stream = format_->streams[i];
    const AVCodecParameters& is = *stream->codecpar;
    sounds = sounds || is.codec_type == AVMEDIA_TYPE_AUDIO;
    stream->discard = AVDISCARD_ALL;
    if (is.codec_type != AVMEDIA_TYPE_VIDEO ||
        (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
      continue;
    }
    const auto pixels = [](const AVStream* of) {
      return std::int64_t{of->codecpar->width} * of->codecpar->height;
    };
    if (stream_ == nullptr || pixels(stream) > pixels(stream_)) stream_ = stream;
  }
  if (stream_ == nullptr) throw Unreadable(sounds ? "sound without a picture" : "no picture in it");
  stream_->discard = AVDISCARD_DEFAULT;
}

void Film::open_decoder() {
  const AVCodecParameters& is = *stream_->codecpar;
  const AVCodec* codec = avcodec_find_decoder(is.codec_id);
  if (codec == nullptr) {
    throw Unreadable(
        fmt::format("pictures in {}, which is not read", avcodec_get_name(is.codec_id)));
  }
  if (std::int64_t{is.width} * is.height > kMostPixels) {
    throw Unreadable(fmt::format("{} x {} pixels, more than are read", is.width, is.height));
  }
  decoder_.reset(avcodec_alloc_context3(codec));
  if (!decoder_) throw std::bad_alloc();
  avcodec_parameters_to_context(decoder_.get(), &is);
  decoder_->pkt_timebase = stream_->time_base;
  decoder_->thread_count = 1;  // other films keep the other cores at work
  decoder_->max_pixels = kMostPixels;
  const int error = avcodec_open2(decoder_.get(), codec, nullptr);
  if (error < 0) {
    throw_for(error, "pictures that cannot be decoded");
  }
}

std::int64_t Film::milliseconds(std::int64_t timestamp) const {
  const std::int64_t start = format_->start_time == AV_NOPTS_VALUE
                                 ? 0
                                 : av_rescale(format_->start_time, 1000, AV_TIME_BASE);
  return av_rescale_q(timestamp, stream_->time_base, {1, 1000}) - start;
}

std::int64_t Film::timestamp(std::int64_t milliseconds) const {
  const std::int64_t start = format_->start_time == AV_NOPTS_VALUE
                                 ? 0
                                 : av_rescale(format_->start_time, 1000, AV_TIME_BASE);
  return av_rescale_q(milliseconds + start, {1, 1000}, stream_->time_base);
}

std::int64_t Film::duration() {
  if (duration_) return *duration_;
  std::int64_t known = 0;
  if (stream_->duration > 0) known = av_rescale_q(stream_->duration, stream_->time_base, {1, 1000});
  if (known <= 0 && format_->duration > 0)
    known = av_rescale(format_->duration, 1000, AV_TIME_BASE);
  constexpr std::int64_t kYear = std::int64_t{366} * 24 * 3600 * 1000;
  if (known <= 0 || known > kYear) known = scan_duration();
  duration_ = std::clamp<std::int64_t>(known, 0, kYear);
  return *duration_;
}

// As recorders of browsers leave films, which know no end as they begin.
std::int64_t Film::scan_duration() {
  std::int64_t last = 0;
  while (av_read_frame(format_.get(), packet_.get()) >= 0) {
    if (packet_->stream_index == stream_->index && packet_->pts != AV_NOPTS_VALUE) {
      last = std::max(last, milliseconds(packet_->pts + packet_->duration));
    }
    av_packet_unref(packet_.get());
  }
  at_end_ = true;
  position_ = std::numeric_limits<std::int64_t>::max();  // whatever is asked for lies before
  return last;
}

std::vector<std::pair<std::string, std::string>> Film::facts() const {
  const auto first = [this](std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      for (const AVDictionary* notes : {format_->metadata, stream_->metadata}) {
        std::string text = note(notes, key);
        if (!text.empty()) return text;
      }
    }
    return std::string();
  };
  return {{kTaken, first({"com.apple.quicktime.creationdate", "date_recorded"})},
          {kCreated, first({"creation_time"})},
          {kPlace, first({"com.apple.quicktime.location.ISO6709", "location", "location-eng"})},
          {kMake, first({"com.apple.quicktime.make", "com.android.manufacturer", "make"})},
          {kModel, first({"com.apple.quicktime.model", "com.android.model", "model"})},
          {kSize, size_text()}};
}

std::string Film::size_text() const {
  const AVCodecParameters& is = *stream_->codecpar;
  if (is.width <= 0 || is.height <= 0) return "";
  const double shape = pixel_shape(is.sample_aspect_ratio);
  std::int64_t wide = std::llround(is.width * std::max(shape, 1.0)),
               high = std::llround(is.height / std::min(shape, 1.0));
  if (turn().transpose) std::swap(wide, high);
  return fmt::format("{} {}", wide, high);
}

// Whether reading on leads there sooner than seeking: no keyframe lies between.
bool Film::lies_ahead(std::int64_t at) const {
  if (position_ < 0 || at < position_) return false;
  const AVIndexEntry* entry =
      avformat_index_get_entry_from_timestamp(stream_, timestamp(at), AVSEEK_FLAG_BACKWARD);
  if (entry == nullptr) return at - position_ <= kNear;
  return milliseconds(entry->timestamp) <= position_;
}

bool Film::seek(std::int64_t at) {
  const int error =
      av_seek_frame(format_.get(), stream_->index, timestamp(at), AVSEEK_FLAG_BACKWARD);
  if (error < 0 && avformat_seek_file(format_.get(), -1, std::numeric_limits<std::int64_t>::min(),
                                      0, std::numeric_limits<std::int64_t>::max(), 0) < 0) {
    return false;
  }
  avcodec_flush_buffers(decoder_.get());
  position_ = -1;
  at_end_ = false;
  return true;
}

// Decodes the first frame at a moment or before it. What has no index may be sought too far.
bool Film::start_at(std::int64_t at) {
  for (const std::int64_t back : {std::int64_t{0}, kNear, 10 * kNear, at}) {
    if (!seek(std::max<std::int64_t>(at - back, 0)) || !decode()) continue;
    if (position_ <= at || back == at) return true;
  }
  return false;
}

std::optional<Film::Frame> Film::frame_near(std::int64_t at, std::int64_t slack) {
  // Times are rounded: a keyframe may begin within this millisecond.
  if (!(lies_ahead(at - slack) && decode()) && !start_at(at + 1)) return std::nullopt;
  while (position_ < at - slack) {
    std::swap(frame_, last_);
    if (decode()) continue;
    std::swap(frame_, last_);  // the end: what there is
    break;
  }
  return Frame{frame_.get(), position_};
}

bool Film::decode() {
  for (int damaged = 0; damaged < kMostDamage && std::clock() < give_up_; ++damaged) {
    av_frame_unref(frame_.get());
    const int error = avcodec_receive_frame(decoder_.get(), frame_.get());
    if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
    if (error == AVERROR_EOF) return false;
    if (error == AVERROR(EAGAIN)) {
      if (!feed()) return false;
      damaged = -1;  // a film may have any number of packets without a picture
      continue;
    }
    if (error < 0 || (frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame_->width <= 0) continue;
    const std::int64_t time = frame_->best_effort_timestamp;
    position_ = time == AV_NOPTS_VALUE ? std::max<std::int64_t>(position_, 0)
                                       : std::max<std::int64_t>(milliseconds(time), 0);
    return true;
  }
  return false;
}

// One more packet for the decoder; at the end, that it is the end. False after that.
bool Film::feed() {
  for (int damaged = 0; !at_end_ && damaged < kMostDamage;) {
    const int error = av_read_frame(format_.get(), packet_.get());
    if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
    if (error == AVERROR_EOF || (error < 0 && avio_feof(format_->pb) != 0)) break;
    if (error < 0) {
      ++damaged;
      continue;
    }
    const bool ours = packet_->stream_index == stream_->index;
    const int sent = ours ? avcodec_send_packet(decoder_.get(), packet_.get()) : 0;
    av_packet_unref(packet_.get());
    if (sent == AVERROR(ENOMEM)) throw std::bad_alloc();
    if (ours && sent >= 0) return true;
    if (ours) ++damaged;
  }
  if (at_end_) return false;
  at_end_ = true;
  return avcodec_send_packet(decoder_.get(), nullptr) >= 0;
}

Film::Turn Film::turn() const {
  const std::int32_t* matrix = display_matrix(*stream_);
  if (matrix == nullptr) return {};
  const std::int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
  if (std::llabs(a) + std::llabs(d) >= std::llabs(b) + std::llabs(c)) return {a < 0, d < 0, false};
  return {b < 0, c < 0, true};  // what was x becomes y
}

double Film::pixel_shape(AVRational shape) const {
  if (shape.num <= 0 || shape.den <= 0) shape = stream_->sample_aspect_ratio;
  if (shape.num <= 0 || shape.den <= 0) return 1;
  return std::clamp(av_q2d(shape), 0.1, 10.0);
}

}  // namespace hinny::film
