// The encoders of a model's pictures, checked against it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "encoder/model.h"
#include "vision/picture_encoder.h"

namespace hinny {

// Each as open_encoder takes it. Throws InputError where one cannot be used, or makes features of
// another size than the model's part was trained on.
std::vector<std::unique_ptr<PictureEncoder>> open_encoders(
    const Model& model, const std::vector<std::string>& encoders);

}  // namespace hinny
