#include "vision/picture_reader.h"

#include <fmt/format.h>

#include <mutex>

#include "base/lazy.h"
#include "base/loaded_builds.h"
#include "vision/encode_pictures.h"
#include "vision/reader_version.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

class EncodersReader final : public PictureReader {
 public:
  EncodersReader(FeatureSpec features, std::vector<std::string> encoders)
      : features_(std::move(features)), names_(std::move(encoders)) {}

  std::vector<float> features_of(const GivenPicture& given) const override {
    const std::vector<PictureEncoder*> encoders = opened();
    const Picture picture = decoded(given, least_side(encoders));
    std::vector<float> features;
    for (PictureEncoder* encoder : encoders) {
      const std::vector<std::vector<float>> prepared = {encoder->prepare(picture)};
      std::vector<float> row(static_cast<std::size_t>(encoder->row_size()));
      const std::lock_guard one_at_a_time(running_);
      encoder->encode(prepared, row);
      features.insert(features.end(), row.begin(), row.end());
    }
    return features;
  }

  void features_of(std::span<const fs::path> files, const TakeFeatures& take) const override {
    const std::vector<PictureEncoder*> encoders = opened();
    const std::lock_guard one_at_a_time(running_);
    encode_pictures(
        files.size(), [&](std::size_t i) { return files[i]; }, encoders,
        {.stopped = "stopped; the same command goes on where this was"}, take);
  }

  std::optional<Taken> taken_at(const fs::path& file) const override {
    return hinny::taken_at(file);
  }

  std::string version() const override { return version_; }

 private:
  std::vector<PictureEncoder*> opened() const {
    std::vector<PictureEncoder*> encoders;
    for (const auto& one : encoders_.get([this] { return open_encoders(features_, names_); })) {
      encoders.push_back(one.get());
    }
    return encoders;
  }

  static Picture decoded(const GivenPicture& picture, int least) {
    if (const auto* file = std::get_if<PictureFile>(&picture)) {
      return read_picture(file->path, {.shorter = least});
    }
    return decode_picture(std::as_bytes(std::span(std::get<PictureBytes>(picture).bytes)),
                          {.shorter = least});
  }

  FeatureSpec features_;
  std::vector<std::string> names_;
  // As it begins: libraries that decoding loads later would make it another one.
  std::string version_ = fmt::format("{}, build {}", picture_reader_version(), loaded_builds());
  Lazy<std::vector<std::unique_ptr<PictureEncoder>>> encoders_;
  mutable std::mutex running_;  // they run for one caller at a time
};

}  // namespace

std::unique_ptr<const PictureReader> open_picture_reader(const FeatureSpec& features,
                                                         const std::vector<std::string>& encoders) {
  return std::make_unique<const EncodersReader>(features, encoders);
}

}  // namespace hinny
