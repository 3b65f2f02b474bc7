// What san, dan and scan ask of the data.
#pragma once

#include <string>

#include "recipe/system_options.h"
#include "systems/system_input.h"

namespace hinny {

// Throws InputError for pictures without regions, and for weights of other languages.
void check_region_data(const SystemOptions& options, const SystemInput& input);

// With loss.types = sources the name of what machines wrote in a language.
std::string machine_type(const std::string& language);

}  // namespace hinny
