// What makes pictures into the features that a model reads, and says how they were taken. Decoding
// takes OpenCV: who has none of it sees this interface alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/model_config.h"
#include "vision/picture_facts.h"

namespace hinny {

// A file of a format that picture.h names, or its bytes.
struct PictureFile {
  std::filesystem::path path;
};
struct PictureBytes {
  std::string bytes;
};
using GivenPicture = std::variant<PictureFile, PictureBytes>;

// Takes the features of the i-th picture, all encoders' side by side, or, where it could not be
// read, none. `note`: why not; or, with features, what of the picture is missing, where something
// is. Called once for each picture, in order.
using TakeFeatures =
    std::function<void(std::size_t i, std::span<const float> features, const std::string& note)>;

// Frames that stand for a film, or for a picture that moves, in their order.
struct FilmFrames {
  std::vector<std::int64_t> at;  // milliseconds from its beginning, each later than the one before
  std::vector<float> features;   // [frames, all encoders' side by side]
};
// Takes those of the i-th film, or, where it could not be read, none, and why not (`note`). Called
// once for each film, in order.
using TakeFilm =
    std::function<void(std::size_t i, const FilmFrames& frames, const std::string& note)>;

// Safe to share between threads.
class PictureReader {
 public:
  virtual ~PictureReader() = default;

  // Throws RequestError for bytes, and InputError for a file, that hold no picture; Failure while
  // others decode too much (DecodingBusy).
  std::vector<float> features_of(const GivenPicture& picture) const {
    return std::move(features_of_each({&picture, 1}).front());
  }
  // Of each. Of several, a RequestError says which one is no picture, counted from 1. Uses
  // thread_count() threads; pictures that other callers bring meanwhile go through the networks
  // together.
  virtual std::vector<std::vector<float>> features_of_each(
      std::span<const GivenPicture> pictures) const = 0;
  // Of many files, in batches; uses thread_count() threads. What `take` throws ends it, as Ctrl-C
  // does (Interrupted).
  virtual void features_of(std::span<const std::filesystem::path> files,
                           const TakeFeatures& take) const = 0;
  // As hinny::picture_facts.
  virtual PictureFacts facts_of(const std::filesystem::path& file) const = 0;

  // Whether films can be read, which else must not be given to what follows.
  virtual bool reads_films() const { return false; }
  // Of films, and of pictures that move: `most` frames of each, or fewer; as features_of.
  virtual void frames_of(std::span<const std::filesystem::path>, int /*most*/,
                         const TakeFilm&) const {}
  // As hinny::film_facts.
  virtual PictureFacts facts_of_film(const std::filesystem::path&) const { return {}; }

  // Of all that reads: what an earlier one could not read, or not date by EXIF, is worth another
  // try by one of another version.
  virtual std::string version() const = 0;
};

// Reads by these encoders, each as open_encoder takes it ("builtin-1", FILE.onnx with its sidecar
// beside it), one for each part of a model's features. They are opened when the first picture is to
// be read, which throws InputError where one cannot be used or does not make its part. Programs
// without OpenCV have a reader that refuses to read (cli/no_picture_reader.cc).
std::unique_ptr<const PictureReader> open_picture_reader(const FeatureSpec& features,
                                                         const std::vector<std::string>& encoders);
using OpenPictureReader = std::function<decltype(open_picture_reader)>;

}  // namespace hinny
