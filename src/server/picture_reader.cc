#include "server/picture_reader.h"

#include <memory>
#include <span>

#include "vision/picture_features.h"

namespace hinny {
namespace {

Picture decoded(const GivenPicture& picture, int least) {
  if (const auto* file = std::get_if<PictureFile>(&picture)) return read_picture(file->path, least);
  return decode_picture(std::as_bytes(std::span(std::get<PictureBytes>(picture).bytes)), least);
}

}  // namespace

ReadPicture open_picture_encoders(const std::vector<std::string>& encoders) {
  const auto features = std::make_shared<PictureFeatures>(encoders);
  return [features, least = features->least_side()](const GivenPicture& picture) {
    return features->of(decoded(picture, least));
  };
}

}  // namespace hinny
