// A film, open: what it says of itself, and its frames.
#pragma once

#include <cstdint>
#include <ctime>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "film/film_file.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

namespace hinny::film {

// what() is why a film cannot be read: part of a sentence.
class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// MP4, MOV, Matroska, WebM, AVI, MPEG, ASF, FLV, Ogg and MXF, by their content. For one thread.
class Film {
 public:
  // Throws Unreadable. The descriptor must stay open.
  explicit Film(int descriptor);

  // Milliseconds; 0: unknown. The first call reads a film whole that does not say so.
  std::int64_t duration();
  // KEY and TEXT of film_stream.h; TEXT may be empty.
  std::vector<std::pair<std::string, std::string>> facts() const;

  struct Frame {
    const AVFrame* picture = nullptr;  // until the next call
    std::int64_t at = 0;               // milliseconds from the film's beginning
  };
  // The first frame that is `slack` milliseconds before `at`, or later, as far as can be found
  // without decoding more than needed: mostly the last one before `at` that needs no other; at the
  // end the last one. Moments that grow are found quickest. nullopt where nothing more can be
  // decoded. Of the moment of a frame and a slack of 1, that frame.
  std::optional<Frame> frame_near(std::int64_t at, std::int64_t slack);

  // Once this process has had so much time (std::clock), nothing more is decoded: frame_near gives
  // what it has come to.
  void give_up_at(std::clock_t time) { give_up_ = time; }

  // How frames are turned to be seen: first mirrored, then rows become columns.
  struct Turn {
    bool mirror_x = false, mirror_y = false, transpose = false;
  };
  Turn turn() const;
  // How much wider a pixel is than high, of a frame or stream that says so itself, or not (0:0).
  double pixel_shape(AVRational said) const;

 private:
  struct FreeFormat {
    void operator()(AVFormatContext* format) const { avformat_close_input(&format); }
  };
  struct FreeDecoder {
    void operator()(AVCodecContext* decoder) const { avcodec_free_context(&decoder); }
  };
  struct FreeFrame {
    void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  };
  struct FreePacket {
    void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  };

  std::string size_text() const;
  void open_format();
  void choose_stream();
  void open_decoder();
  std::int64_t milliseconds(std::int64_t timestamp) const;  // of the stream -> from the beginning
  std::int64_t timestamp(std::int64_t milliseconds) const;
  bool lies_ahead(std::int64_t at) const;
  bool seek(std::int64_t at);
  bool start_at(std::int64_t at);
  bool decode();  // the next frame, into frame_
  bool feed();
  std::int64_t scan_duration();

  FilmFile file_;
  std::unique_ptr<AVFormatContext, FreeFormat> format_;
  AVStream* stream_ = nullptr;
  std::unique_ptr<AVCodecContext, FreeDecoder> decoder_;
  std::unique_ptr<AVFrame, FreeFrame> frame_, last_;
  std::unique_ptr<AVPacket, FreePacket> packet_;
  std::int64_t position_ = -1;  // of the last frame decoded; -1: none since the last seek
  bool at_end_ = false;
  std::clock_t give_up_ = std::numeric_limits<std::clock_t>::max();
  std::optional<std::int64_t> duration_;
};

}  // namespace hinny::film
