#include "vision/picture_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/batches.h"
#include "base/lazy.h"
#include "base/loaded_builds.h"
#include "base/request_error.h"
#include "base/threads.h"
#include "vision/encode_films.h"
#include "vision/encode_pictures.h"
#include "vision/film_facts.h"
#include "vision/film_program.h"
#include "vision/prepared_picture.h"
#include "vision/reader_version.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatch = 32;  // pictures that go through a network together

class EncodersReader final : public PictureReader {
 public:
  EncodersReader(FeatureSpec features, std::vector<std::string> encoders)
      : features_(std::move(features)), names_(std::move(encoders)) {}

  std::vector<std::vector<float>> features_of_each(
      std::span<const GivenPicture> pictures) const override {
    const std::vector<PictureEncoder*> encoders = opened();
    std::vector<std::vector<float>> all;
    for (std::size_t first = 0; first < pictures.size(); first += kBatch) {
      const auto part = pictures.subspan(first, std::min(kBatch, pictures.size() - first));
      std::vector<PreparedPicture> prepared(part.size());
      parallel_blocks(part.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t number = pictures.size() == 1 ? 0 : first + i + 1;
          prepared[i] = prepared_for(encoders, decoded(part[i], least_side(encoders), number));
        }
      });
      for (auto& features : batches_.run(std::move(prepared))) all.push_back(std::move(features));
    }
    return all;
  }

  void features_of(std::span<const fs::path> files, const TakeFeatures& take) const override {
    const std::vector<PictureEncoder*> encoders = opened();
    const std::lock_guard one_at_a_time(running_);
    encode_pictures(
        files.size(), [&](std::size_t i) { return files[i]; }, encoders,
        {.stopped = "stopped; the same command goes on where this was"}, take);
  }

  PictureFacts facts_of(const fs::path& file) const override { return picture_facts(file); }

  bool reads_films() const override { return hinny::reads_films(); }
  void frames_of(std::span<const fs::path> films, int most, const TakeFilm& take) const override {
    const std::vector<PictureEncoder*> encoders = opened();
    const std::lock_guard one_at_a_time(running_);
    encode_films(films, most, encoders, take);
  }
  PictureFacts facts_of_film(const fs::path& film) const override { return film_facts(film); }

  std::string version() const override {
    const std::string films = film_reader_version();
    return films.empty() ? version_ : fmt::format("{} films {}", version_, films);
  }

 private:
  std::vector<PictureEncoder*> opened() const {
    std::vector<PictureEncoder*> encoders;
    for (const auto& one : encoders_.get([this] { return open_encoders(features_, names_); })) {
      encoders.push_back(one.get());
    }
    return encoders;
  }

  // `number`: of the picture, for an error; 0: there is only one.
  static Picture decoded(const GivenPicture& picture, int least, std::size_t number) {
    if (const auto* file = std::get_if<PictureFile>(&picture)) {
      return read_picture(file->path, {.shorter = least});
    }
    try {
      return decode_picture(std::as_bytes(std::span(std::get<PictureBytes>(picture).bytes)),
                            {.shorter = least});
    } catch (const RequestError& error) {
      if (number == 0) throw;
      throw RequestError(fmt::format("picture {}: {}", number, error.what()));
    }
  }

  std::vector<std::vector<float>> run(std::vector<PreparedPicture> prepared) const {
    const std::size_t count = prepared.size();
    const std::lock_guard one_at_a_time(running_);
    const std::vector<float> rows = encode_prepared(opened(), std::move(prepared));
    std::vector<std::vector<float>> all;
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = std::span(rows).subspan(i * (rows.size() / count), rows.size() / count);
      all.emplace_back(row.begin(), row.end());
    }
    return all;
  }

  FeatureSpec features_;
  std::vector<std::string> names_;
  // As it begins: libraries that decoding loads later would make it another one.
  std::string version_ = fmt::format("{}, build {}", picture_reader_version(), loaded_builds());
  Lazy<std::vector<std::unique_ptr<PictureEncoder>>> encoders_;
  mutable std::mutex running_;  // they run for one caller at a time
  mutable Batches<PreparedPicture, std::vector<float>> batches_{
      kBatch, [this](std::vector<PreparedPicture> prepared) { return run(std::move(prepared)); }};
};

}  // namespace

std::unique_ptr<const PictureReader> open_picture_reader(const FeatureSpec& features,
                                                         const std::vector<std::string>& encoders) {
  return std::make_unique<const EncodersReader>(features, encoders);
}

}  // namespace hinny
