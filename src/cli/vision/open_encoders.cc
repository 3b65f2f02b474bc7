#include "cli/vision/open_encoders.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hinny {

std::vector<std::unique_ptr<PictureEncoder>> open_encoders(
    const Model& model, const std::vector<std::string>& encoders) {
  std::vector<std::unique_ptr<PictureEncoder>> opened;
  for (std::size_t i = 0; i < encoders.size(); ++i) {
    opened.push_back(open_encoder(encoders[i]));
    const FeatureSpec::Part& part = model.config().features.parts.at(i);
    const auto size = static_cast<std::size_t>(opened.back()->row_size());
    if (size == part.dim) continue;
    throw InputError(
        encoders[i], fmt::format("makes {} features of a picture", size),
        fmt::format("the {} of {} that the model was trained on", part.dim, part.name));
  }
  return opened;
}

}  // namespace hinny
