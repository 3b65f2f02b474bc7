// What san, dan and scan ask of a recipe and its data.
#pragma once

#include <string>

#include "systems/options.h"

namespace hinny {

// Throws InputError for settings that cannot be or would have no effect.
void check_region_system(const SystemOptions& options, const SystemInput& input);

// With loss.types "sources" the name of what machines wrote in a language.
std::string machine_type(const std::string& language);

}  // namespace hinny
