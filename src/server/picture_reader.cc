#include "server/picture_reader.h"

#include <memory>
#include <span>

#include "server/http_error.h"
#include "vision/decoding_memory.h"
#include "vision/picture_features.h"

namespace hinny {
namespace {

Picture decoded(const GivenPicture& picture, int least) {
  if (const auto* file = std::get_if<PictureFile>(&picture))
    return read_picture(file->path, {.shorter = least});
  return decode_picture(std::as_bytes(std::span(std::get<PictureBytes>(picture).bytes)),
                        {.shorter = least});
}

}  // namespace

ReadPicture open_picture_encoders(const std::vector<std::string>& encoders) {
  const auto features = std::make_shared<PictureFeatures>(encoders);
  return [features, least = features->least_side()](const GivenPicture& picture) {
    try {
      return features->of(decoded(picture, least));
    } catch (const DecodingBusy& busy) {
      throw HttpError(503, busy.what());
    }
  };
}

}  // namespace hinny
