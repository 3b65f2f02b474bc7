#include "encoder/image_encoder.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/error.h"

namespace hinny {
namespace {

FeatureTransform transform_of(const Model& model) {
  const FeatureSpec& spec = model.config().features;
  const auto numbers = [&](const char* name) {
    if (!spec.standardise) return std::vector<float>();
    const auto values = model.weights().numbers(name);
    return std::vector<float>(values.begin(), values.end());
  };
  return FeatureTransform({spec.square_root, spec.standardise}, numbers("features.mean"),
                          numbers("features.scale"));
}

}  // namespace

ImageEncoder::ImageEncoder(const Model& model) : model_(model), transform_(transform_of(model)) {}

const std::vector<LayerSpec>& ImageEncoder::layers(const std::string& space) const {
  const auto found = model_.config().image.find(space);
  if (found == model_.config().image.end()) {
    throw InputError(fmt::format("the model has no image space '{}'", space), "");
  }
  return found->second;
}

std::vector<float> ImageEncoder::apply(std::span<const float> rows, const std::string& space,
                                       PooledItems* pooled) const {
  const FeatureSpec& features = model_.config().features;
  const std::size_t images = rows.size() / features.dim();
  if (images * features.dim() != rows.size()) {
    throw std::invalid_argument("ImageEncoder: rows of another size");
  }
  std::vector<float> values(rows.begin(), rows.end());
  transform_.apply(values);
  return apply_layers(model_.weights(), layers(space), std::move(values), images * features.regions,
                      features.regions, pooled);
}

std::vector<float> ImageEncoder::encode(std::span<const float> rows,
                                        const std::string& space) const {
  return apply(rows, space, nullptr);
}

PooledItems ImageEncoder::encode_regions(std::span<const float> rows,
                                         const std::string& space) const {
  PooledItems pooled;
  apply(rows, space, &pooled);
  return pooled;
}

}  // namespace hinny
