// Which image space a vector lies in, where a model has several: vectors can only be compared
// within one, and there is no default.
#pragma once

#include <string>
#include <string_view>

#include "encoder/model.h"

namespace hinny {

// The space that sentences in `language` are compared in with pictures; "" says it where the model
// has one. Throws RequestError as Model::text does, and for "" where the model has several spaces.
// `option`: how a language is given, for that message: "--lang".
const std::string& image_space(const Model& model, const std::string& language,
                               std::string_view option);

}  // namespace hinny
