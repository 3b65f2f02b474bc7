// For tests: small films, written by FFmpeg's libraries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libswscale/swscale.h>
}

namespace hinny::film {

struct WrittenFilm {
  // One after the other; each is a picture of stripes of its own brightness and colour, all over,
  // or what a file of a picture holds.
  struct Scene {
    std::uint8_t luma = 128, blue = 128, red = 128;
    int frames = 25;
    std::filesystem::path picture{};
  };
  std::vector<Scene> scenes{};
  const char* format = "mp4";  // of a muxer
  AVCodecID codec = AV_CODEC_ID_MPEG4;
  int width = 64, height = 48;
  int rate = 25;            // frames a second
  int group = 12;           // frames from one that needs no other to the next
  int rotation = 0;         // degrees, clockwise, by which it is turned to be seen
  bool uneven = false;      // every third frame comes late
  bool upper_half = false;  // the scene's colour is above, black below
  bool sound_alone = false;
  bool live = false;  // of Matroska and WebM: says neither how long it is nor what is where
  std::map<std::string, std::string> notes{};
};

class FilmWriter {
 public:
  FilmWriter(const std::filesystem::path& file, const WrittenFilm& film) : film_(film) {
    avformat_alloc_output_context2(&format_, nullptr, film.format, file.c_str());
    if (format_ == nullptr) throw std::runtime_error("no such format");
    for (const auto& [key, text] : film.notes) {
      av_dict_set(&format_->metadata, key.c_str(), text.c_str(), 0);
    }
    stream_ = avformat_new_stream(format_, nullptr);
    film.sound_alone ? open_sound() : open_picture();
    AVDictionary* options = nullptr;
    av_dict_set(&options, "movflags", "use_metadata_tags", 0);
    if (film.live) av_dict_set(&options, "live", "1", 0);
    check(avio_open(&format_->pb, file.c_str(), AVIO_FLAG_WRITE), "open");
    check(avformat_write_header(format_, &options), "header");
    av_dict_free(&options);
    film.sound_alone ? write_sound() : write_scenes();
    check(av_write_trailer(format_), "trailer");
  }
  ~FilmWriter() {
    avcodec_free_context(&coder_);
    if (format_ != nullptr) avio_closep(&format_->pb);
    avformat_free_context(format_);
  }
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

 private:
  static void check(int result, const char* what) {
    if (result < 0) throw std::runtime_error(what);
  }

  void open_picture() {
    const AVCodec* codec = avcodec_find_encoder(film_.codec);
    if (codec == nullptr) throw std::runtime_error("no such encoder");
    coder_ = avcodec_alloc_context3(codec);
    coder_->width = film_.width;
    coder_->height = film_.height;
    coder_->time_base = {1, film_.uneven ? 1000 : film_.rate};
    coder_->framerate = {film_.rate, 1};
    coder_->gop_size = film_.group;
    coder_->bit_rate = 400'000;
    coder_->pix_fmt = film_.codec == AV_CODEC_ID_MJPEG ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P;
    if ((format_->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
      coder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    }
    check(avcodec_open2(coder_, codec, nullptr), "encoder");
    avcodec_parameters_from_context(stream_->codecpar, coder_);
    stream_->time_base = coder_->time_base;
    stream_->avg_frame_rate = coder_->framerate;
    if (film_.rotation != 0) add_rotation();
  }

  void add_rotation() {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    auto* data = av_packet_side_data_new(&stream_->codecpar->coded_side_data,
                                         &stream_->codecpar->nb_coded_side_data,
                                         AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(std::int32_t), 0)
                     ->data;
#else
    auto* data =
        av_stream_new_side_data(stream_, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(std::int32_t));
#endif
    av_display_rotation_set(reinterpret_cast<std::int32_t*>(data), film_.rotation);
  }

  void open_sound() {
    AVCodecParameters& is = *stream_->codecpar;
    is.codec_type = AVMEDIA_TYPE_AUDIO;
    is.codec_id = AV_CODEC_ID_PCM_S16LE;
    is.sample_rate = 8000;
    is.bits_per_coded_sample = 16;
    is.block_align = 2;
    av_channel_layout_default(&is.ch_layout, 1);
    stream_->time_base = {1, 8000};
  }

  void write_sound() {
    AVPacket* packet = av_packet_alloc();
    check(av_new_packet(packet, 16000), "packet");
    std::fill_n(packet->data, packet->size, std::uint8_t{0});
    packet->pts = packet->dts = 0;
    packet->duration = 8000;
    check(av_interleaved_write_frame(format_, packet), "sound");
    av_packet_free(&packet);
  }

  void write_scenes() {
    AVFrame* frame = av_frame_alloc();
    frame->format = coder_->pix_fmt;
    frame->width = film_.width;
    frame->height = film_.height;
    check(av_frame_get_buffer(frame, 0), "frame");
    int number = 0;
    for (const auto& scene : film_.scenes) {
      for (int i = 0; i < scene.frames; ++i, ++number) {
        check(av_frame_make_writable(frame), "frame");
        if (scene.picture.empty()) draw(scene, *frame);
        if (!scene.picture.empty() && i == 0) draw_picture(scene.picture, *frame);
        const bool late = film_.uneven && number % 3 == 2;
        const std::int64_t at = std::int64_t{number} * 1000 / film_.rate + (late ? 15 : 0);
        frame->pts = av_rescale_q(at, {1, 1000}, coder_->time_base);
        if (!film_.uneven) frame->pts = number;
        send(frame);
      }
    }
    send(nullptr);
    av_frame_free(&frame);
  }

  void draw(const WrittenFilm::Scene& scene, AVFrame& frame) const {
    for (int y = 0; y < film_.height; ++y) {
      for (int x = 0; x < film_.width; ++x) {
        const bool black = film_.upper_half && y >= film_.height / 2;
        const int luma = black ? 16 : scene.luma + (x / 8 % 2 == 0 ? 12 : -12);
        frame.data[0][y * frame.linesize[0] + x] = static_cast<std::uint8_t>(luma);
        if (y % 2 != 0 || x % 2 != 0) continue;
        const int at = y / 2;
        frame.data[1][at * frame.linesize[1] + x / 2] = black ? 128 : scene.blue;
        frame.data[2][at * frame.linesize[2] + x / 2] = black ? 128 : scene.red;
      }
    }
  }

  void draw_picture(const std::filesystem::path& file, AVFrame& frame) const {
    AVFormatContext* format = nullptr;
    check(avformat_open_input(&format, file.c_str(), nullptr, nullptr), "picture");
    check(avformat_find_stream_info(format, nullptr), "picture");
    const AVCodecParameters* is = format->streams[0]->codecpar;
    AVCodecContext* decoder = avcodec_alloc_context3(avcodec_find_decoder(is->codec_id));
    avcodec_parameters_to_context(decoder, is);
    check(avcodec_open2(decoder, nullptr, nullptr), "picture");
    AVPacket* packet = av_packet_alloc();
    AVFrame* picture = av_frame_alloc();
    check(av_read_frame(format, packet), "picture");
    check(avcodec_send_packet(decoder, packet), "picture");
    avcodec_send_packet(decoder, nullptr);
    check(avcodec_receive_frame(decoder, picture), "picture");
    SwsContext* scaler =
        sws_getContext(picture->width, picture->height, static_cast<AVPixelFormat>(picture->format),
                       frame.width, frame.height, static_cast<AVPixelFormat>(frame.format),
                       SWS_BICUBIC, nullptr, nullptr, nullptr);
    sws_scale(scaler, picture->data, picture->linesize, 0, picture->height, frame.data,
              frame.linesize);
    sws_freeContext(scaler);
    av_frame_free(&picture);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    avformat_close_input(&format);
  }

  void send(const AVFrame* frame) {
    check(avcodec_send_frame(coder_, frame), "encode");
    AVPacket* packet = av_packet_alloc();
    while (avcodec_receive_packet(coder_, packet) >= 0) {
      packet->stream_index = 0;
      av_packet_rescale_ts(packet, coder_->time_base, stream_->time_base);
      check(av_interleaved_write_frame(format_, packet), "write");
    }
    av_packet_free(&packet);
  }

  const WrittenFilm& film_;
  AVFormatContext* format_ = nullptr;
  AVStream* stream_ = nullptr;
  AVCodecContext* coder_ = nullptr;
};

inline void write_film(const std::filesystem::path& file, const WrittenFilm& film) {
  av_log_set_level(AV_LOG_QUIET);
  FilmWriter(file, film);
}

}  // namespace hinny::film
