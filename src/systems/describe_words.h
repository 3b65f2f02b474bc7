// The part of a language's description that follows from the settings alone.
#pragma once

#include <string>

#include "model/model_config.h"
#include "recipe/system_options.h"

namespace hinny {

// vocabulary, unknown and markers.
void describe_words(const TextSettings& text, const std::string& language, TextSpec& spec);

}  // namespace hinny
