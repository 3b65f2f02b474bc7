#include "encoder/image_spaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/request_error.h"

namespace hinny {

const std::string& image_space(const Model& model, const std::string& language,
                               std::string_view option) {
  if (!language.empty()) return model.text(language).space;
  const ModelConfig& config = model.config();
  if (config.image.size() == 1) return config.image.begin()->first;
  throw RequestError(
      fmt::format("vectors without a language, of a model with {} image spaces: those of different "
                  "spaces do not compare",
                  config.image.size()),
      fmt::format("{}, one of {}", option, fmt::join(config.languages, ", ")));
}

}  // namespace hinny
