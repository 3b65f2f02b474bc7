// For tests: a reader of pictures that is made of functions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vision/picture_reader.h"

namespace hinny {

// What is not set says nothing of any picture.
class FakePictureReader final : public PictureReader {
 public:
  std::function<std::vector<float>(const GivenPicture&)> read{};
  std::function<void(std::span<const std::filesystem::path>, const TakeFeatures&)> read_files{};
  std::function<PictureFacts(const std::filesystem::path&)> facts{};
  std::function<void(std::span<const std::filesystem::path>, int most, const TakeFilm&)>
      read_frames{};         // of films, and of pictures that move
  bool lacks_films = false;  // without it, or so, films cannot be read
  std::string says_version{};

  std::vector<std::vector<float>> features_of_each(
      std::span<const GivenPicture> pictures) const override {
    std::vector<std::vector<float>> all;
    for (const GivenPicture& picture : pictures) {
      all.push_back(read ? read(picture) : std::vector<float>{});
    }
    return all;
  }
  void features_of(std::span<const std::filesystem::path> files,
                   const TakeFeatures& take) const override {
    if (read_files) read_files(files, take);
  }
  PictureFacts facts_of(const std::filesystem::path& file) const override {
    return facts ? facts(file) : PictureFacts{};
  }
  bool reads_films() const override { return read_frames && !lacks_films; }
  void frames_of(std::span<const std::filesystem::path> films, int most,
                 const TakeFilm& take) const override {
    read_frames(films, most, take);
  }
  PictureFacts facts_of_film(const std::filesystem::path& film) const override {
    return facts_of(film);
  }
  std::string version() const override { return says_version; }
};

}  // namespace hinny
