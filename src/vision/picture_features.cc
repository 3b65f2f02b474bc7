#include "vision/picture_features.h"

namespace hinny {

PictureFeatures::PictureFeatures(const std::vector<std::string>& encoders) {
  for (const std::string& encoder : encoders) encoders_.push_back(open_encoder(encoder));
}

int PictureFeatures::least_side() const {
  std::vector<PictureEncoder*> encoders;
  for (const auto& encoder : encoders_) encoders.push_back(encoder.get());
  return hinny::least_side(encoders);
}

std::vector<float> PictureFeatures::of(const Picture& picture) {
  std::vector<float> features;
  for (const auto& encoder : encoders_) {
    const std::vector<std::vector<float>> prepared = {encoder->prepare(picture)};
    std::vector<float> row(static_cast<std::size_t>(encoder->row_size()));
    const std::lock_guard one_at_a_time(running_);
    encoder->encode(prepared, row);
    features.insert(features.end(), row.begin(), row.end());
  }
  return features;
}

}  // namespace hinny
